/* What hides in text (HX), and credentials (SE). */
#include "base/text.h"
#include "model/findings/check_internal.h"
#include "model/trace/secret.h"

bool look_brings_text(const struct look *look)
{
    switch (look->step->kind) {
    case STEP_TOOL_RESULT:
    case STEP_DEFINITIONS:
    case STEP_INSTRUCTIONS:
    case STEP_RESOURCE:
    case STEP_PROMPT_GET:
    case STEP_SAMPLING:
        return true;
    default:
        return false;
    }
}

/* ---- hidden ---- */

enum {
    PADDING_ARGUMENT = 64, /* blanks in a row that no argument or definition needs */
    INVISIBLE_MIN = 3,     /* one zero-width joiner is an accident */
};

struct hidden {
    size_t count;
    const struct string_at *first;
};

static void check_text_note(struct hidden *h, size_t count, const struct string_at *s)
{
    if (!count)
        return;
    if (!h->count)
        h->first = s;
    h->count += count;
}

static size_t escapes_in(struct span text)
{
    size_t count = 0;
    for (size_t at; (at = span_find_byte(text, '\x1b')) < text.len; count++)
        text = span_sub(text, at + 1, text.len);
    return count;
}

/* Embeddings, overrides and isolates (U+202A–202E, U+2066–2069): what reorders text. A mark of
 * direction (LRM, RLM, ALM) only sides with a neighbour, and whoever writes Arabic uses it. */
static size_t turns_in(struct span text)
{
    size_t count = 0;
    for (size_t at; (at = span_find_byte(text, '\xe2')) + 2 < text.len;) {
        unsigned char second = (unsigned char)text.at[at + 1],
                      third = (unsigned char)text.at[at + 2];
        count += (second == 0x80 && third >= 0xaa && third <= 0xae) ||
                 (second == 0x81 && third >= 0xa6 && third <= 0xa9);
        text = span_sub(text, at + 1, text.len);
    }
    return count;
}

static void add_hidden(const struct look *look, enum code code, const struct hidden *h,
                       const char *what)
{
    if (!h->count)
        return;
    struct finding_evidence here = evidence_in(look, h->first, 0, h->first->text.len);
    finding_add(look, code, SEVERITY_DEFAULT, &here, 1, "%zu %s", h->count, what);
}

static void add_tags(const struct look *look, const struct hidden *h)
{
    struct buf hidden = {0}, shown = {0};
    struct finding_evidence here = evidence_in(look, h->first, 0, h->first->text.len);
    text_decode_tags(&hidden, h->first->text);
    text_safe(&shown, span_sub(buf_span(&hidden), 0, 160));
    finding_add(look, CODE_HX01, SEVERITY_DEFAULT, &here, 1,
                "%zu tag characters spell hidden text: %s", h->count, buf_cstr(&shown));
    buf_finish(&hidden);
    buf_finish(&shown);
}

void check_hidden(struct look *look)
{
    bool call = look->step->kind == STEP_TOOL_CALL;
    bool written = call || look->step->kind == STEP_DEFINITIONS;
    if (!call && !look_brings_text(look))
        return;
    const struct strings *strings = look_strings(look);
    struct hidden tags = {0}, bidi = {0}, invisible = {0}, escapes = {0}, padding = {0};
    for (size_t i = 0; i < strings->count; i++) {
        const struct string_at *s = &strings->items[i];
        struct text_census census = {0};
        text_count(&census, s->text);
        check_text_note(&tags, census.count[TEXT_TAG], s);
        size_t turns = census.count[TEXT_BIDI] ? turns_in(s->text) : 0;
        check_text_note(&bidi, turns, s);
        check_text_note(&invisible, census.count[TEXT_INVISIBLE] + census.count[TEXT_BIDI] - turns,
                        s);
        if (census.count[TEXT_CONTROL])
            check_text_note(&escapes, escapes_in(s->text), s);
        if (written && census.longest_blank_run >= PADDING_ARGUMENT)
            check_text_note(&padding, census.longest_blank_run, s);
    }
    if (tags.count)
        add_tags(look, &tags);
    add_hidden(look, CODE_HX02, &bidi, "characters that change the direction of text");
    if (invisible.count >= INVISIBLE_MIN)
        add_hidden(look, CODE_HX03, &invisible, "invisible characters");
    add_hidden(look, CODE_HX04, &escapes, "escape characters");
    add_hidden(look, CODE_HX05, &padding, "blanks in a row push text out of sight");
}

/* ---- secrets ---- */

/* The name that a value stands under: the last token of its pointer. */
static struct span name_of(struct span pointer)
{
    size_t begin = pointer.len;
    while (begin > 0 && pointer.at[begin - 1] != '/')
        begin--;
    return span_sub(pointer, begin, pointer.len);
}

struct found_secret {
    const struct string_at *in;
    struct secret secret;
};

/* All in the texts of the step: gives how many, and the first. Where a text holds none by itself,
 * the name that it stands under may say that it is one. */
static size_t find_secrets(struct look *look, struct found_secret *first)
{
    const struct strings *strings = look_strings(look);
    size_t total = 0;
    for (size_t i = 0; i < strings->count; i++) {
        const struct string_at *s = &strings->items[i];
        struct secret *secrets, named;
        size_t count;
        secrets_find(s->text, &look->checks->scratch, &secrets, &count);
        if (!count && secret_named(name_of(s->pointer), s->text, &named)) {
            secrets = &named;
            count = 1;
        }
        if (count && !total)
            *first = (struct found_secret){s, secrets[0]};
        total += count;
    }
    return total;
}

void check_secrets(struct look *look)
{
    bool call = look->step->kind == STEP_TOOL_CALL && (look->out->role || look->contradicts);
    struct found_secret first = {0};
    if (!call && !look_brings_text(look))
        return;
    size_t found = find_secrets(look, &first);
    if (!found)
        return;
    struct finding_evidence here =
        evidence_in(look, first.in, (size_t)first.secret.offset, (size_t)first.secret.length);
    int severity = call && look->step->outcome == OUTCOME_REFUSED ? SEVERITY_LOW : SEVERITY_DEFAULT;
    /* The credential itself stays where it is: enough is told to recognise it. */
    struct buf masked = {0}, more = {0};
    secret_mask(&masked,
                span_sub(first.in->text, (size_t)first.secret.offset, (size_t)first.secret.length));
    if (found > 1)
        buf_addf(&more, ", and %zu more", found - 1);
    finding_add(look, call ? CODE_SE02 : CODE_SE01, severity, &here, 1, "%s (%.*s)%s",
                first.secret.kind, SPAN_ARG(buf_span(&masked)), buf_cstr(&more));
    buf_finish(&masked);
    buf_finish(&more);
}
