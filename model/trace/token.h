/*
 * Tokens and words: the short things in a text that say where it came from. A
 * token is a run of letters, digits and the signs that join them in addresses,
 * hosts, paths and numbers; it counts when its shape is one that common words
 * do not have. Its pieces between '/' and ':' count too (the host of a URL,
 * the name of a file). A word is a run of letters and digits.
 */
#ifndef STRANDLINE_MODEL_TRACE_TOKEN_H
#define STRANDLINE_MODEL_TRACE_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

enum { TOKEN_LEAST = 5, TOKEN_MOST = 256, TOKEN_PIECES = 16, WORD_MOST = 64, WORD_PLAIN = 8 };

struct token {
    size_t at, len;
    bool distinctive;
    bool dividable; /* holds '/' or ':' */
    uint32_t hash;  /* of its folded bytes */
};

/* The next token from *at on, which moves behind it; false at the end. Separators and JSON escapes
 * lie between tokens. */
bool token_next(struct span text, size_t *at, struct token *token);
/* Distinctive pieces of a token between '/' and ':'; gives how many. */
size_t token_pieces(struct span text, const struct token *token, struct token pieces[TOKEN_PIECES]);
/* Words inside a token, TRACE_WORD to WORD_MOST bytes long: the next from *at (inside it) on. */
bool token_word(struct span text, const struct token *token, size_t *at, struct token *word);
/* All words that say something, and all tokens that could be distinctive or divided, in one pass.
 * Small letters only are prose, and need WORD_PLAIN of them. */
void token_each(struct span text, void (*word)(void *arg, const struct token *word),
                void (*token)(void *arg, const struct token *token), void *arg);
/* Is text[at, at+len) bounded by other than letters and digits on both sides? */
bool token_stands_alone(struct span text, size_t at, size_t len);

#endif
