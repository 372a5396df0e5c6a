/* The character table behind base/text: private to it. */
#ifndef STRANDLINE_BASE_TEXT_TABLES_H
#define STRANDLINE_BASE_TEXT_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* Each range lasts until the next one starts: code point << 8 | emoji << 7 | enum text_mark << 4 |
 * columns. The first starts at U+0000; ascending. */
extern const uint32_t text_ranges[];
extern const size_t text_range_count;

#endif
