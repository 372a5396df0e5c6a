/*
 * Regular expressions that others wrote (a policy's author, a filter in a case
 * file), looked for in text that an attacker wrote. The C library's regcomp
 * recurses on groups and multiplies repeats until the stack or the memory is
 * gone, and its regexec takes exponential time on back references and a dozen
 * times the text in memory. So an expression is weighed before it is compiled,
 * and a text is looked at piece by piece.
 */
#ifndef STRANDLINE_BASE_PATTERN_H
#define STRANDLINE_BASE_PATTERN_H

#include <regex.h>

#include "base/span.h"

enum {
    PATTERN_LENGTH_MAX = 2000, /* bytes of an expression */
    PATTERN_DEPTH_MAX = 32,    /* groups within groups */
    PATTERN_WEIGHT_MAX = 600,  /* characters and sets, with repeats such as {9} written out */
    PATTERN_WHY = 128,         /* room for the reason of a refusal */
    PATTERN_PIECE = 256 * 1024,
    PATTERN_OVERLAP = 16 * 1024 /* of one piece with the next */
};

struct pattern {
    regex_t regex;
};

/*
 * Compiles a POSIX extended expression; `flags` are regcomp's (REG_ICASE,
 * REG_NEWLINE). False where it is none or asks for too much, with the reason.
 */
bool pattern_compile(struct pattern *p, struct span text, int flags, char why[PATTERN_WHY]);

/*
 * Does it occur in the text? A NUL in the text matches as U+0001 would. In
 * texts above PATTERN_PIECE, what matches only with more than PATTERN_OVERLAP
 * bytes may go unseen.
 */
bool pattern_finds(const struct pattern *p, struct span text);

/* Frees what compiling made. */
void pattern_finish(struct pattern *p);

#endif
