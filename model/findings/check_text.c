/* What hides in text (HX), and credentials (SE). */
#include "base/text.h"
#include "model/findings/check_inside.h"

static bool brings_text(const struct step *step)
{
    switch (step->kind) {
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
    PADDING_ARGUMENT = 64,  /* blanks in a row that no argument or definition needs */
    INVISIBLE_MIN = 3,      /* one zero-width joiner is an accident */
};

struct hidden {
    size_t count;
    const struct string_at *first;
};

static void note(struct hidden *h, size_t count, const struct string_at *s)
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
    if (!call && !brings_text(look->step))
        return;
    const struct strings *strings = look_strings(look);
    struct hidden tags = {0}, bidi = {0}, invisible = {0}, escapes = {0}, padding = {0};
    for (size_t i = 0; i < strings->count; i++) {
        const struct string_at *s = &strings->items[i];
        struct text_census census = {0};
        text_count(&census, s->text);
        note(&tags, census.count[TEXT_TAG], s);
        note(&bidi, census.count[TEXT_BIDI], s);
        note(&invisible, census.count[TEXT_INVISIBLE], s);
        if (census.count[TEXT_CONTROL])
            note(&escapes, escapes_in(s->text), s);
        if (written && census.longest_blank_run >= PADDING_ARGUMENT)
            note(&padding, census.longest_blank_run, s);
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

/* What credentials begin with, and how many bytes of which kind must follow. */
static const struct {
    const char *prefix, *what;
    size_t least;
    enum { KIND_ALNUM, KIND_TOKEN, KIND_UPPER, KIND_ANY } kind;
} secrets[] = {
    {"ghp_", "a GitHub token", 30, KIND_TOKEN},
    {"gho_", "a GitHub token", 30, KIND_TOKEN},
    {"ghs_", "a GitHub token", 30, KIND_TOKEN},
    {"ghu_", "a GitHub token", 30, KIND_TOKEN},
    {"github_pat_", "a GitHub token", 40, KIND_TOKEN},
    {"glpat-", "a GitLab token", 18, KIND_TOKEN},
    {"xoxb-", "a Slack token", 20, KIND_TOKEN},
    {"xoxp-", "a Slack token", 20, KIND_TOKEN},
    {"xoxa-", "a Slack token", 20, KIND_TOKEN},
    {"xapp-", "a Slack token", 20, KIND_TOKEN},
    {"AKIA", "an AWS access key", 16, KIND_UPPER},
    {"ASIA", "an AWS access key", 16, KIND_UPPER},
    {"sk_live_", "a Stripe key", 16, KIND_TOKEN},
    {"sk_test_", "a Stripe test key", 16, KIND_TOKEN},
    {"rk_live_", "a Stripe key", 16, KIND_TOKEN},
    {"sk-ant-", "an Anthropic key", 20, KIND_TOKEN},
    {"sk-proj-", "an OpenAI key", 20, KIND_TOKEN},
    {"sk-or-", "an OpenRouter key", 20, KIND_TOKEN},
    {"AIza", "a Google API key", 35, KIND_TOKEN},
    {"ya29.", "a Google access token", 20, KIND_TOKEN},
    {"npm_", "an npm token", 30, KIND_ALNUM},
    {"pypi-", "a PyPI token", 40, KIND_TOKEN},
    {"hf_", "a Hugging Face token", 30, KIND_ALNUM},
    {"SG.", "a SendGrid key", 30, KIND_TOKEN},
    {"dop_v1_", "a DigitalOcean token", 40, KIND_ALNUM},
    {"sbp_", "a Supabase token", 30, KIND_ALNUM},
    {"secret_", "a Notion token", 40, KIND_ALNUM},
    {"ntn_", "a Notion token", 30, KIND_ALNUM},
    {"lin_api_", "a Linear key", 30, KIND_ALNUM},
    {"-----BEGIN ", "a private key", 40, KIND_ANY},
};

static bool fits(char c, int kind)
{
    bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
    switch (kind) {
    case KIND_ALNUM:
        return digit || upper || lower;
    case KIND_TOKEN:
        return digit || upper || lower || c == '_' || c == '-' || c == '.';
    case KIND_UPPER:
        return digit || upper;
    default:
        return true;
    }
}

/* "-----BEGIN OPENSSH PRIVATE KEY-----", but no certificate. */
static bool is_private_key(struct span text)
{
    struct span line = span_sub(text, 0, span_find_byte(text, '\n'));
    return span_find(span_sub(line, 0, 80), SPAN("PRIVATE KEY-----")) < line.len;
}

/* The end of the credential that begins at `at`, 0 where there is none. */
static size_t secret_end(struct span text, size_t at, size_t which)
{
    struct span prefix = span_of(secrets[which].prefix);
    struct span rest = span_sub(text, at + prefix.len, text.len);
    if (at > 0 && fits(text.at[at - 1], KIND_ALNUM))
        return 0; /* inside a longer word */
    if (secrets[which].kind == KIND_ANY)
        return is_private_key(span_sub(text, at, text.len)) ? at + 30 : 0;
    size_t length = 0;
    while (length < rest.len && fits(rest.at[length], secrets[which].kind))
        length++;
    return length >= secrets[which].least ? at + prefix.len + length : 0;
}

static void add_secret(const struct look *look, enum code code, const struct string_at *s,
                       size_t at, size_t end, size_t which, size_t more)
{
    struct finding_evidence here = evidence_in(look, s, at, end - at);
    int severity = SEVERITY_DEFAULT;
    if (code == CODE_SE02 && look->step->outcome == OUTCOME_REFUSED)
        severity = SEVERITY_LOW;
    /* The credential itself stays where it is: only its kind is told. */
    if (more)
        finding_add(look, code, severity, &here, 1, "%s (%s…), and %zu more", secrets[which].what,
                    secrets[which].prefix, more);
    else
        finding_add(look, code, severity, &here, 1, "%s (%s…)", secrets[which].what,
                    secrets[which].prefix);
}

void check_secrets(struct look *look)
{
    bool call = look->step->kind == STEP_TOOL_CALL && (look->out->role || look->contradicts);
    if (!call && !brings_text(look->step))
        return;
    const struct strings *strings = look_strings(look);
    const struct string_at *first = NULL;
    size_t found = 0, first_at = 0, first_end = 0, first_which = 0;
    for (size_t i = 0; i < strings->count; i++) {
        struct span text = strings->items[i].text;
        for (size_t which = 0; which < COUNT_OF(secrets); which++) {
            struct span prefix = span_of(secrets[which].prefix);
            for (size_t from = 0, at; from < text.len; from = at + prefix.len) {
                at = from + span_find(span_sub(text, from, text.len), prefix);
                size_t end = at < text.len ? secret_end(text, at, which) : 0;
                if (!end)
                    continue;
                if (!found++) {
                    first = &strings->items[i];
                    first_at = at;
                    first_end = end;
                    first_which = which;
                }
            }
        }
    }
    if (found)
        add_secret(look, call ? CODE_SE02 : CODE_SE01, first, first_at, first_end, first_which,
                   found - 1);
}
