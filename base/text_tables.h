/* The character table behind base/text: private to it, and to JSON strings that are as safe. */
#ifndef STRANDLINE_BASE_TEXT_TABLES_H
#define STRANDLINE_BASE_TEXT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

enum { TEXT_COMBINING_MOST = 4 }; /* that are drawn on one base: what a cell of curses holds */

/* The different properties there are: emoji << 7 | enum text_mark << 4 | columns. */
extern const uint8_t text_properties[];
/* Each 256 code points are one of the pages, and in it each has a letter: a is the first of the
 * properties. */
extern const uint8_t text_page_of[0x1100];
extern const char text_pages[][257];

/* The properties of a code point up to U+10FFFF. */
static inline unsigned text_properties_of(uint32_t code)
{
    return text_properties[text_pages[text_page_of[code >> 8]][code & 0xff] - 'a'];
}

/* Plain, but drawn into the cell of what is before it. */
static inline bool text_is_combining(uint32_t code)
{
    return code >= 0x300 && code <= 0x10ffff && (text_properties_of(code) & 0x73) == 0;
}

#endif
