/*
 * What a person sets: keys and colours, a line each, in
 * $XDG_CONFIG_HOME/strandline/explorer.conf (else ~/.config/…):
 *
 *     # the next violation on ] as well
 *     key next-violation v F3 ]
 *     # foreground, background (a number of the 256, or -), attributes
 *     colour untrusted 208
 *     colour deny-badge 231 160 bold
 */
#ifndef STRANDLINE_TUI_CONFIG_H
#define STRANDLINE_TUI_CONFIG_H

#include "base/err.h"
#include "base/mem.h"
#include "tui/action.h"
#include "tui/style.h"

struct config {
    struct arena arena;
    struct keymap keys;
    bool styled[STYLE_COUNT];
    struct look style[STYLE_COUNT]; /* where styled; for 256 colours */
};

void config_init(struct config *config); /* as the program brings it */
/* Frees what the file said. */
void config_finish(struct config *config);
/* Reads settings; a line that can't be understood is an error that names it, the others hold. */
bool config_read(struct config *config, struct span text, const char *where, struct err *err);
/* The person's file, where there is one. */
bool config_load(struct config *config, struct err *err);

#endif
