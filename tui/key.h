/*
 * Keys as the explorer knows them: a code point, or one of these. Names are
 * what a person reads and writes: "j", "Down", "C-l", "F1", "PgDn".
 */
#ifndef STRANDLINE_TUI_KEY_H
#define STRANDLINE_TUI_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"

/* clang-format off */
#define SPECIAL_KEYS(X)                                                                            \
    X(UP, "Up") X(DOWN, "Down") X(LEFT, "Left") X(RIGHT, "Right")                                  \
    X(PAGE_UP, "PgUp") X(PAGE_DOWN, "PgDn") X(HOME, "Home") X(END, "End")                          \
    X(TAB, "Tab") X(BACK_TAB, "S-Tab") X(ENTER, "Enter") X(ESCAPE, "Esc")                          \
    X(BACKSPACE, "Backspace") X(DELETE, "Delete") X(SPACE, "Space")                                \
    X(F1, "F1") X(F2, "F2") X(F3, "F3") X(F4, "F4") X(F5, "F5")                                    \
    X(F6, "F6") X(F7, "F7") X(F8, "F8") X(F9, "F9") X(F10, "F10")
/* clang-format on */

enum special_key {
    KEY_NONE_ = 0x110000, /* above every code point */
#define X(id, name) KEYS_##id,
    SPECIAL_KEYS(X)
#undef X
        KEYS_AFTER_ALL
};

struct key {
    uint32_t code; /* a code point from U+0020, a control code 1–31 as C-a … , or a special key */
};

#define KEY_OF(value) ((struct key){(uint32_t)(value)})

/* "C-l", "Down", "x", "é"; false where it names no key. */
bool key_parse(struct span name, struct key *key);
void key_put_name(struct key key, struct buf *out);

#endif
