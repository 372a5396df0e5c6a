/*
 * The words of a filter: `tool:send_* -server:github label:untrusted since:2026-05-26 "two words"
 * /regex/`. All terms must hold; a comma gives choices; - in front negates.
 */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/timefmt.h"
#include "model/query/filter_internal.h"

static const struct {
    const char *word, *wants;
} fields[] = {
#define X(id, word, text) {word, text},
    FILTER_FIELDS(X)
#undef X
};

static const char *const state_words[] = {
#define X(id, word) word,
    FILTER_STATES(X)
#undef X
};

static const char *const label_words[] = {"untrusted", "trusted", "private", "public", "none"};
static const char *const filter_parse_severity_words[] = {"info", "low", "medium", "high",
                                                          "critical"};
static const char *const evidence_words[] = {"any", "ok", "bad"};

struct parser {
    struct filter *filter;
    struct span text;
    size_t at;
    struct err *err;
};

static bool complain(struct parser *p, size_t at, const char *todo, const char *what,
                     struct span word)
{
    char where[48];
    snprintf(where, sizeof where, "filter, character %zu", at + 1);
    word = span_sub(word, 0, 100);
    return err_set(p->err, ERR_USAGE, where, todo, "%s: %.*s", what, SPAN_ARG(word));
}

static struct span filter_parse_lower(struct parser *p, struct span text)
{
    char *copy = arena_alloc(&p->filter->arena, text.len + 1);
    for (size_t i = 0; i < text.len; i++)
        copy[i] = ascii_lower(text.at[i]);
    return (struct span){copy, text.len};
}

static bool one_of(struct span word, const char *const *words, size_t count, int64_t *number)
{
    for (size_t i = 0; i < count; i++) {
        if (span_equal_nocase(word, span_of(words[i]))) {
            *number = (int64_t)i;
            return true;
        }
    }
    return false;
}

/* ---- one choice of each field ---- */

static bool take_verdict(struct span word, int64_t *number)
{
    for (int i = VERDICT_ALLOW; i <= VERDICT_DENY; i++) {
        if (span_equal_nocase(word, span_of(verdict_word((enum verdict)i)))) {
            *number = i;
            return true;
        }
    }
    return false;
}

static bool take_origin(struct span word, int64_t *number)
{
    for (int i = 0; i < LABEL_ORIGIN_COUNT; i++) {
        if (span_equal_nocase(word, span_of(label_origin_word((enum label_origin)i)))) {
            *number = i;
            return true;
        }
    }
    return false;
}

/* A severity, or a code: two letters and digits, perhaps with * at the end. */
static bool take_finding(struct parser *p, struct span word, struct choice *choice)
{
    if (one_of(word, filter_parse_severity_words, COUNT_OF(filter_parse_severity_words),
               &choice->number))
        return true;
    choice->text = filter_parse_lower(p, word);
    for (size_t i = 0; i < word.len; i++) {
        char c = choice->text.at[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '*' || c == '?'))
            return false;
    }
    return word.len > 0;
}

static bool take_time(struct parser *p, struct span word, struct choice *choice)
{
    struct moment moment;
    if (word.len == 10) { /* a day */
        const char *whole = arena_printf(&p->filter->arena, "%.*sT00:00:00Z", SPAN_ARG(word));
        word = span_of(whole);
    }
    if (!time_parse(word, &moment))
        return false;
    choice->number = moment.ns;
    return true;
}

static bool take_choice(struct parser *p, enum filter_field field, struct span word,
                        struct choice *choice)
{
    enum step_kind kind;
    bool ok = true;
    switch (field) {
    case FIELD_TOOL:
    case FIELD_SERVER:
    case FIELD_EVIDENCE:
        choice->number = -1;
        choice->text = filter_parse_lower(p, word);
        if (field == FIELD_EVIDENCE)
            one_of(word, evidence_words, COUNT_OF(evidence_words), &choice->number);
        return word.len > 0;
    case FIELD_KIND:
        ok = step_kind_of(filter_parse_lower(p, word), &kind);
        choice->number = ok ? (int64_t)kind : 0;
        return ok;
    case FIELD_LABEL:
        return one_of(word, label_words, COUNT_OF(label_words), &choice->number);
    case FIELD_CONTEXT:
        return one_of(word, label_words, ASKS_NONE, &choice->number);
    case FIELD_ORIGIN:
        return take_origin(word, &choice->number);
    case FIELD_VERDICT:
        return take_verdict(word, &choice->number);
    case FIELD_FINDING:
        choice->number = -1;
        return take_finding(p, word, choice);
    case FIELD_DIGEST: {
        unsigned lints;
        return digest_parse(word, &choice->digest, &lints) == DIGEST_OK;
    }
    case FIELD_IS:
        return one_of(word, state_words, COUNT_OF(state_words), &choice->number);
    case FIELD_SINCE:
    case FIELD_BEFORE:
        return take_time(p, word, choice);
    case FIELD_TEXT:
        choice->text = filter_parse_lower(p, word);
        return true;
    case FIELD_COUNT:
        break;
    }
    return false;
}

/* ---- terms ---- */

static struct term *add_term(struct parser *p, enum filter_field field, bool negated)
{
    enum { TERMS = 32 };
    struct filter *f = p->filter;
    if (f->count == TERMS)
        return NULL;
    if (!f->terms)
        f->terms = arena_array(&f->arena, TERMS, sizeof *f->terms);
    f->wants_findings |= field == FIELD_FINDING;
    f->wants_evidence |= field == FIELD_EVIDENCE;
    struct term *term = &f->terms[f->count++];
    term->field = field;
    term->negated = negated;
    return term;
}

static bool too_many(struct parser *p)
{
    return complain(p, p->at, "use fewer words", "too many words", SPAN_EMPTY);
}

static bool add_choices(struct parser *p, struct term *term, struct span words, size_t at)
{
    bool split =
        term->field != FIELD_TEXT && term->field != FIELD_SINCE && term->field != FIELD_BEFORE;
    term->choices = arena_array(&p->filter->arena, words.len / 2 + 1, sizeof *term->choices);
    for (;;) {
        size_t end = split ? span_find_byte(words, ',') : words.len;
        struct span word = span_sub(words, 0, end);
        if (!take_choice(p, term->field, word, &term->choices[term->count]))
            return complain(p, at,
                            arena_printf(&p->filter->arena, "write %s: %s",
                                         fields[term->field].word, fields[term->field].wants),
                            "not known here", word);
        term->count++;
        if (end == words.len)
            return true;
        if (term->count > words.len / 2)
            return complain(p, at, "write a name between commas", "nothing between commas", words);
        at += end + 1;
        words = span_sub(words, end + 1, words.len);
    }
}

static bool add_regex(struct parser *p, bool negated, struct span pattern)
{
    struct term *term = add_term(p, FIELD_TEXT, negated);
    if (!term)
        return too_many(p);
    struct arena *arena = &p->filter->arena;
    term->choices = arena_alloc(arena, sizeof *term->choices);
    struct pattern *compiled = arena_alloc(arena, sizeof *compiled);
    char why[PATTERN_WHY];
    if (!pattern_compile(compiled, pattern, REG_ICASE | REG_NEWLINE, why))
        return complain(p, p->at, arena_printf(arena, "%s", why), "not a regular expression",
                        pattern);
    term->choices[0].pattern = compiled;
    term->count = 1;
    return true;
}

/* The end of a word that begins at `at`: a space, or the closing mark; len where there is none. */
static size_t closing(struct span text, size_t at, char mark)
{
    while (at < text.len && text.at[at] != mark)
        at += text.at[at] == '\\' && at + 1 < text.len ? 2 : 1;
    return at < text.len ? at : text.len;
}

static bool take_quoted(struct parser *p, bool negated, char mark)
{
    size_t end = closing(p->text, p->at + 1, mark);
    struct span inside = span_sub(p->text, p->at + 1, end - p->at - 1);
    if (end == p->text.len)
        return complain(p, p->at, mark == '"' ? "end it with \"" : "end it with /", "no end",
                        inside);
    bool ok;
    if (mark == '/') {
        ok = inside.len
                 ? add_regex(p, negated, inside)
                 : complain(p, p->at, "write /regex/", "an empty regular expression", SPAN_EMPTY);
    } else {
        struct term *term = add_term(p, FIELD_TEXT, negated);
        ok = term ? add_choices(p, term, inside, p->at + 1) : too_many(p);
    }
    p->at = end + 1;
    return ok;
}

static bool take_word(struct parser *p, bool negated)
{
    size_t end = p->at;
    while (end < p->text.len && p->text.at[end] != ' ' && p->text.at[end] != '\t')
        end++;
    struct span word = span_sub(p->text, p->at, end - p->at);
    size_t colon = span_find_byte(word, ':'), begin = p->at;
    struct span name = span_sub(word, 0, colon);
    enum filter_field field = FIELD_TEXT;
    p->at = end;
    if (colon < word.len) {
        size_t i = 0;
        while (i < FIELD_TEXT && !span_equal_nocase(name, span_of(fields[i].word)))
            i++;
        field = (enum filter_field)i;
        if (field == FIELD_TEXT) /* "http://…" is text; "tols:x" is a mistake */
            return complain(
                p, begin,
                "put quotes around text that has a colon in it; the words are tool, server, "
                "kind, label, context, origin, verdict, finding, evidence, digest, is, since and before",
                "no such word", name);
        word = span_sub(word, colon + 1, word.len);
        begin += colon + 1;
    }
    struct term *term = add_term(p, field, negated);
    return term ? add_choices(p, term, word, begin) : too_many(p);
}

/* Text is read only of steps for which all else holds. */
static void text_last(struct filter *f)
{
    for (size_t pass = 0, i = 0; pass < f->count; pass++) {
        if (f->terms[i].field != FIELD_TEXT) {
            i++;
            continue;
        }
        struct term text = f->terms[i];
        memmove(&f->terms[i], &f->terms[i + 1], (f->count - i - 1) * sizeof text);
        f->terms[f->count - 1] = text;
    }
}

struct filter *filter_parse(struct span text, struct err *err)
{
    struct filter *f = NEW(struct filter);
    struct parser p = {f, text, 0, err};
    for (;;) {
        while (p.at < text.len && (text.at[p.at] == ' ' || text.at[p.at] == '\t'))
            p.at++;
        if (p.at == text.len)
            break;
        bool negated = text.at[p.at] == '-' && p.at + 1 < text.len && text.at[p.at + 1] != ' ';
        p.at += negated;
        char first = text.at[p.at];
        bool ok =
            first == '"' || first == '/' ? take_quoted(&p, negated, first) : take_word(&p, negated);
        if (!ok) {
            filter_destroy(f);
            return NULL;
        }
    }
    text_last(f);
    return f;
}

void filter_destroy(struct filter *filter)
{
    if (!filter)
        return;
    for (size_t i = 0; i < filter->count; i++)
        for (size_t k = 0; k < filter->terms[i].count; k++)
            if (filter->terms[i].choices[k].pattern)
                pattern_finish(filter->terms[i].choices[k].pattern);
    arena_finish(&filter->arena);
    mem_free(filter);
}
