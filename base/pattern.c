#include "base/pattern.h"

#include <stdio.h>

#include "base/buf.h"

/* ---- what an expression asks for ---- */

struct weighing {
    struct span text;
    size_t at;
    size_t depth;
    size_t before[PATTERN_DEPTH_MAX]; /* weight in front of each open group */
    size_t total, last;               /* of this group so far; of its last item */
    const char *refusal;
};

static bool refuse(struct weighing *w, const char *why)
{
    w->refusal = why;
    return false;
}

static bool add_item(struct weighing *w, size_t weight)
{
    w->last = weight;
    w->total += weight;
    return w->total <= PATTERN_WEIGHT_MAX || refuse(w, "its repeats ask for too much");
}

/* Steps over "[…]": a "]" that is first belongs to the set, and [:…:] holds one. */
static void skip_set(struct weighing *w)
{
    struct span t = w->text;
    size_t at = w->at;
    if (at < t.len && t.at[at] == '^')
        at++;
    for (size_t first = at; at < t.len && (t.at[at] != ']' || at == first); at++) {
        char kind = at + 1 < t.len && t.at[at] == '[' ? t.at[at + 1] : '\0';
        if (kind != ':' && kind != '.' && kind != '=')
            continue;
        for (at += 2; at + 1 < t.len && (t.at[at] != kind || t.at[at + 1] != ']');)
            at++;
        at++;
    }
    w->at = at < t.len ? at + 1 : t.len;
}

/* The largest number in "{2,5}" times the item before it; a brace that begins no repeat is a
 * character. */
static bool weigh_repeat(struct weighing *w)
{
    size_t most = 1, number = 0;
    for (; w->at < w->text.len; w->at++) {
        char c = w->text.at[w->at];
        if (c != ',' && (c < '0' || c > '9'))
            break;
        number = c == ',' ? 0 : number * 10 + (size_t)(c - '0');
        if (number > PATTERN_WEIGHT_MAX)
            return refuse(w, "its repeats ask for too much");
        most = number > most ? number : most;
    }
    size_t item = w->last ? w->last : 1;
    w->total -= w->last;
    return add_item(w, item * most);
}

static bool open_group(struct weighing *w)
{
    if (w->depth == PATTERN_DEPTH_MAX)
        return refuse(w, "its groups are nested too deep");
    w->before[w->depth++] = w->total;
    w->total = w->last = 0;
    return true;
}

static bool close_group(struct weighing *w)
{
    if (w->depth == 0)
        return add_item(w, 1);
    size_t group = w->total + 1;
    w->total = w->before[--w->depth];
    return add_item(w, group);
}

static bool weigh_next(struct weighing *w)
{
    char c = w->text.at[w->at++];
    switch (c) {
    case '(':
        return open_group(w);
    case ')':
        return close_group(w);
    case '{':
        return weigh_repeat(w);
    case '[':
        skip_set(w);
        return add_item(w, 1);
    case '\\':
        if (w->at < w->text.len && w->text.at[w->at] >= '1' && w->text.at[w->at] <= '9')
            return refuse(w, "it refers back to a group, which can take forever");
        w->at += w->at < w->text.len;
        return add_item(w, 1);
    case '\0':
        return refuse(w, "it holds a NUL");
    case '*':
    case '+':
    case '?':
        return true;
    default:
        return add_item(w, 1);
    }
}

static const char *refusal_of(struct span text)
{
    struct weighing w = {.text = text};
    if (text.len > PATTERN_LENGTH_MAX)
        return "it is too long";
    while (w.at < text.len && weigh_next(&w))
        ;
    return w.refusal;
}

bool pattern_compile(struct pattern *p, struct span text, int flags, char why[PATTERN_WHY])
{
    const char *refusal = refusal_of(text);
    if (refusal) {
        snprintf(why, PATTERN_WHY, "%s", refusal);
        return false;
    }
    struct buf copy = {0};
    buf_add(&copy, text);
    int code = regcomp(&p->regex, buf_cstr(&copy), REG_EXTENDED | REG_NOSUB | flags);
    buf_finish(&copy);
    if (code)
        regerror(code, &p->regex, why, PATTERN_WHY);
    return code == 0;
}

/* ---- looking ---- */

bool pattern_finds(const struct pattern *p, struct span text)
{
    struct buf piece = {0};
    bool found = false;
    for (size_t at = 0;; at += PATTERN_PIECE - PATTERN_OVERLAP) {
        buf_clear(&piece);
        buf_add(&piece, span_sub(text, at, PATTERN_PIECE));
        for (size_t i = 0; i < piece.len;
             i++) /* regexec wants a NUL behind the text and none in it */
            if (piece.at[i] == '\0')
                piece.at[i] = '\x01';
        bool last = text.len - at <= PATTERN_PIECE;
        int edges = (at ? REG_NOTBOL : 0) | (last ? 0 : REG_NOTEOL);
        found = regexec(&p->regex, buf_cstr(&piece), 0, NULL, edges) == 0;
        if (found || last)
            break;
    }
    buf_finish(&piece);
    return found;
}

void pattern_finish(struct pattern *p)
{
    regfree(&p->regex);
}
