#include "model/trace/token.h"

#include "model/trace/fold.h"
#include "model/trace/trace.h"

#define HASH_FACTOR 0x9e3779b97f4a7c15u
enum { TOKEN_SEED = 0x2545f491, WORD_SEED = 0x1b873593 };

static uint32_t token_hash_of(struct span s, uint32_t seed)
{
    uint64_t hash = seed;
    for (size_t i = 0; i < s.len; i++)
        hash = (hash ^ fold_table[(uint8_t)s.at[i]]) * HASH_FACTOR;
    return (uint32_t)(hash >> 32);
}

/* Shapes that prose does not have: an address, a URL, a path, a host or file name, a number or an
 * id of some length. */
static bool is_distinctive(struct span s)
{
    if (s.len < TOKEN_LEAST || s.len > TOKEN_MOST)
        return false;
    size_t digits = 0, letters = 0, inner = 0, dots = 0, divides = 0;
    bool at = false;
    for (size_t i = 0; i < s.len; i++) {
        digits += byte_is(s.at[i], BYTE_DIGIT);
        letters += byte_is(s.at[i], BYTE_LETTER);
        divides += byte_is(s.at[i], BYTE_DIVIDE);
        bool between = i > 0 && i + 1 < s.len && byte_is(s.at[i - 1], BYTE_WORD) &&
                       byte_is(s.at[i + 1], BYTE_WORD);
        if (!byte_is(s.at[i], BYTE_JOIN) || !between)
            continue;
        inner++;
        dots += s.at[i] == '.';
        at = at || s.at[i] == '@';
    }
    if (at || digits >= 5 || (letters && digits && letters + digits >= 6))
        return true;
    if (digits >= 4 && dots)
        return true;
    return letters && ((dots && s.len >= 5) || (inner && s.len >= 8) || (divides && s.len >= 6));
}

static bool token_is_one_of(char c, const char *signs)
{
    return c && strchr(signs, c);
}

/* Signs at the ends belong to the sentence, not to the token. */
static void trim(struct span text, struct token *token)
{
    while (token->len && token_is_one_of(text.at[token->at], ":-.")) {
        token->at++;
        token->len--;
    }
    while (token->len && token_is_one_of(text.at[token->at + token->len - 1], ":-./"))
        token->len--;
}

static void token_judge(struct span text, struct token *token)
{
    trim(text, token);
    struct span s = span_sub(text, token->at, token->len);
    token->distinctive = is_distinctive(s);
    token->dividable = memchr(s.at, '/', s.len) || memchr(s.at, ':', s.len);
    token->hash = token->distinctive ? token_hash_of(s, TOKEN_SEED) : 0;
}

bool token_next(struct span text, size_t *at, struct token *token)
{
    size_t begin = *at;
    while (begin < text.len && !byte_is(text.at[begin], BYTE_TOKEN))
        begin += fold_table[(uint8_t)text.at[begin]] == FOLD_ESCAPE ? fold_escape(text, begin) : 1;
    size_t end = begin;
    unsigned classes = 0;
    for (; end < text.len && byte_is(text.at[end], BYTE_TOKEN); end++)
        classes |= byte_class[(uint8_t)text.at[end]];
    *at = end;
    if (begin >= text.len)
        return false;
    *token = (struct token){.at = begin, .len = end - begin};
    if (classes & (BYTE_DIGIT | BYTE_JOIN | BYTE_DIVIDE)) /* else a word of prose */
        token_judge(text, token);
    return true;
}

size_t token_pieces(struct span text, const struct token *token, struct token pieces[TOKEN_PIECES])
{
    size_t count = 0, end = token->at + token->len;
    for (size_t begin = token->at; token->dividable && begin < end && count < TOKEN_PIECES;) {
        size_t stop = begin;
        while (stop < end && !byte_is(text.at[stop], BYTE_DIVIDE))
            stop++;
        struct token piece = {.at = begin, .len = stop - begin};
        token_judge(text, &piece);
        if (piece.distinctive && piece.len < token->len)
            pieces[count++] = piece;
        begin = stop + 1;
    }
    return count;
}

bool token_word(struct span text, const struct token *token, size_t *at, struct token *word)
{
    size_t end = token->at + token->len;
    for (size_t begin = *at; begin < end;) {
        while (begin < end && !byte_is(text.at[begin], BYTE_WORD))
            begin++;
        size_t stop = begin;
        while (stop < end && byte_is(text.at[stop], BYTE_WORD))
            stop++;
        if (stop - begin >= TRACE_WORD && stop - begin <= WORD_MOST) {
            *word = (struct token){.at = begin, .len = stop - begin};
            word->hash = token_hash_of(span_sub(text, begin, word->len), WORD_SEED);
            *at = stop;
            return true;
        }
        begin = stop;
    }
    *at = end;
    return false;
}

void token_each(struct span text, void (*word)(void *arg, const struct token *word),
                void (*token)(void *arg, const struct token *token), void *arg)
{
    size_t at = 0, begin = 0; /* of the token */
    unsigned classes = 0;
    while (at < text.len) {
        size_t first = at;
        unsigned all = BYTE_SMALL, class = 0;
        for (; at < text.len && (class = byte_class[(uint8_t)text.at[at]]) & BYTE_WORD; at++) {
            all &= class;
            classes |= class;
        }
        struct token found = {.at = first, .len = at - first};
        if (found.len >= (all & BYTE_SMALL ? WORD_PLAIN : TRACE_WORD) && found.len <= WORD_MOST) {
            found.hash = token_hash_of(span_sub(text, first, found.len), WORD_SEED);
            word(arg, &found);
        }
        if (at < text.len && (class & BYTE_TOKEN)) {
            classes |= class;
            at++;
            continue;
        }
        if (classes & (BYTE_DIGIT | BYTE_JOIN | BYTE_DIVIDE)) {
            found = (struct token){.at = begin, .len = at - begin};
            token_judge(text, &found);
            token(arg, &found);
        }
        while (at < text.len && !byte_is(text.at[at], BYTE_TOKEN))
            at += text.at[at] == '\\' ? fold_escape(text, at) : 1;
        at = at < text.len ? at : text.len;
        begin = at;
        classes = 0;
    }
    if (classes & (BYTE_DIGIT | BYTE_JOIN | BYTE_DIVIDE)) {
        struct token found = {.at = begin, .len = at - begin};
        token_judge(text, &found);
        token(arg, &found);
    }
}

bool token_stands_alone(struct span text, size_t at, size_t len)
{
    if (at > 0 && byte_is(text.at[at - 1], BYTE_WORD)) {
        /* the letter of an escape (`\n`) is no letter */
        struct unit before = fold_before(text, at);
        if (before.count)
            return false;
    }
    return at + len >= text.len || !byte_is(text.at[at + len], BYTE_WORD);
}
