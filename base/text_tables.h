/* The character table behind base/text: private to it. */
#ifndef STRANDLINE_BASE_TEXT_TABLES_H
#define STRANDLINE_BASE_TEXT_TABLES_H

#include <stdint.h>

/* The different properties there are: emoji << 7 | enum text_mark << 4 | columns. */
extern const uint8_t text_properties[];
/* Each 256 code points are one of the pages, and in it each has a letter: a is the first of the
 * properties. */
extern const uint8_t text_page_of[0x1100];
extern const char text_pages[][257];

static inline unsigned text_properties_of(uint32_t code)
{
    return text_properties[text_pages[text_page_of[code >> 8]][code & 0xff] - 'a'];
}

#endif
