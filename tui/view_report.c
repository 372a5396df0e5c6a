/*
 * Can it be handed over? What is complete and unchanged, what is not proven,
 * what nobody recorded, and what somebody else should know before they read
 * it. Enter writes the report.
 */

#include "base/slice.h"
#include "model/case/source.h"
#include "model/evidence/digest.h"
#include "model/query/account.h"
#include "model/seal/seal.h"
#include "tui/core.h"
#include "tui/doc.h"

enum { HASH_AT_ONCE = 64 << 20 }; /* bytes that are hashed again here; more is for `verify` */

struct report_state {
    struct arena arena;
    struct source_view *sources;
    size_t count, hashed, changed, redacted;
    bool too_large; /* to be hashed between two keys */
    struct seal_report seal;
    bool compared; /* the case with its seal */
    struct doc doc;
    struct doc_view view;
    bool filled;
    int64_t review; /* x->reviews when it was */
};

static bool report_open(struct view *v, struct explorer *x)
{
    struct report_state *s = v->state;
    struct err err = {0};
    doc_init(&s->doc);
    doc_view_reset(&s->view, &s->doc);
    if (!query_sources(x->options.case_file, &s->arena, &s->sources, &s->count, &err)) {
        explorer_fail(x, &err);
        return false;
    }
    int64_t bytes = 0;
    for (size_t i = 0; i < s->count; i++)
        bytes += s->sources[i].bytes;
    s->too_large = bytes > HASH_AT_ONCE;
    if (!seal_read(x->options.case_file, &s->arena, &s->seal, &err))
        explorer_fail(x, &err);
    s->compared = s->seal.verdict != SEAL_UNCHANGED;
    return true;
}

static void report_close(struct view *v)
{
    struct report_state *s = v->state;
    doc_finish(&s->doc);
    arena_finish(&s->arena);
}

static bool ask_seal(void *arg, struct err *err)
{
    struct view *v = arg;
    struct report_state *s = v->state;
    return seal_check(v->explorer->options.case_file, NULL, &s->arena, &s->seal, NULL, NULL, err);
}

/* What the case holds against its seal, from the beginning where a key came between. */
static bool compare_with_seal(struct view *v)
{
    struct report_state *s = v->state;
    struct err err = {0};
    int more = explorer_ask(v->explorer, NULL, ask_seal, v, &err);
    if (more < 0)
        explorer_fail(v->explorer, &err);
    s->compared = more <= 0;
    s->filled = false;
    return more > 0;
}

/* A source is hashed between two keys. */
static bool report_idle(struct view *v, struct slice *slice)
{
    (void)slice; /* a source is one piece of work; HASH_AT_ONCE bounds it */
    struct report_state *s = v->state;
    struct err err = {0};
    enum source_state state = SOURCE_CHANGED;
    if (!s->too_large && s->hashed == s->count && !s->compared)
        return compare_with_seal(v);
    if (s->too_large || s->hashed == s->count)
        return false;
    if (s->sources[s->hashed].sha256.at &&
        !source_verify(v->explorer->options.case_file, s->sources[s->hashed].id, &state, &err)) {
        explorer_fail(v->explorer, &err);
        s->changed++;
    } else if (s->sources[s->hashed].sha256.at) {
        s->changed += state == SOURCE_CHANGED;
        s->redacted += state == SOURCE_REDACTED;
    }
    s->hashed++;
    s->filled = false;
    return s->hashed < s->count || !s->compared;
}

/* ---- what is said ---- */

enum report_answer { ANSWER_YES, ANSWER_NO, ANSWER_OPEN };

static void report_say(struct doc *doc, enum report_answer answer, const char *format, ...)
    ATTR_PRINTF(3, 4);
static void report_say(struct doc *doc, enum report_answer answer, const char *format, ...)
{
    static const char *const glyphs[] = {"✔ ", "✘ ", "? "};
    static const enum style styles[] = {STYLE_GOOD, STYLE_BAD, STYLE_UNKNOWN};
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_addv(&text, format, args);
    va_end(args);
    doc_line(doc, 2);
    doc_ours(doc, styles[answer], glyphs[answer]);
    doc_ours(doc, STYLE_PLAIN, buf_cstr(&text));
    doc_hang(doc, 4);
    buf_finish(&text);
}

static void report_head(struct doc *doc, const char *text)
{
    doc_line(doc, 0);
    doc_line(doc, 0);
    doc_ours(doc, STYLE_STRONG, text);
}

/* Whose key it is nobody can say from the case alone. */
static void report_say_seal(struct report_state *s)
{
    const struct seal_report *r = &s->seal;
    struct doc *doc = &s->doc;
    struct buf key = {0};
    if (r->verdict == SEAL_NONE || r->verdict == SEAL_BAD_SIGNATURE) {
        report_say(doc, r->verdict == SEAL_NONE ? ANSWER_OPEN : ANSWER_NO, "%s",
                   seal_verdict_text(r->verdict));
        return;
    }
    bool broken = r->verdict == SEAL_BROKEN;
    hex_encode(&key, (struct span){(const char *)r->public_key, PUBLIC_KEY_BYTES});
    report_say(doc, broken ? ANSWER_NO : s->compared ? ANSWER_YES : ANSWER_OPEN, "sealed ");
    doc_data(doc, STYLE_PLAIN, r->sealed_at);
    doc_oursf(doc, STYLE_PLAIN, ", as it says, with the key %s; ", buf_cstr(&key));
    doc_ours(doc, STYLE_PLAIN,
             broken        ? "changed since: "
             : s->compared ? "unchanged since. Whose key it is, `strandline verify --key` says"
                           : "whether it changed since, `strandline verify CASE` says");
    for (size_t i = 0; i < r->difference_count && i < 3; i++) {
        doc_ours(doc, STYLE_PLAIN, i ? ", " : "");
        doc_data(doc, STYLE_PLAIN, r->differences[i].part);
        doc_ours(doc, STYLE_PLAIN, " ");
        doc_data(doc, STYLE_PLAIN, r->differences[i].what);
    }
    if (r->difference_count > 3)
        doc_oursf(doc, STYLE_PLAIN, " and %zu parts more", r->difference_count - 3);
    buf_finish(&key);
}

static void report_say_sources(struct report_state *s, struct explorer *x)
{
    static const struct {
        enum report_answer answer;
        const char *words;
    } soundness[] = {
        [CASE_CHECKING] = {ANSWER_OPEN, "the case file is still being checked"},
        [CASE_SOUND] = {ANSWER_YES, "the case file is sound"},
        [CASE_DAMAGED] = {ANSWER_NO, "the case file is damaged"},
        [CASE_UNKNOWN] = {ANSWER_OPEN, "the case file could not be checked"},
    };
    size_t whole = 0, logs = 0;
    int64_t unread = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct source_view *v = &s->sources[i];
        logs += v->format.at != NULL;
        whole += v->format.at && v->complete &&
                 v->event + v->noise + v->diagnostic + v->blank == v->bytes;
        unread += v->diagnostic_count;
    }
    report_head(&s->doc, "Complete and unchanged");
    report_say(&s->doc, whole == logs ? ANSWER_YES : ANSWER_NO,
               "%zu of %zu logs were read to their end, each byte accounted for", whole, logs);
    if (unread)
        report_say(&s->doc, ANSWER_NO, "broken or unpaired places in them: %lld (%.*s)",
                   (long long)unread, SPAN_ARG(keymap_first(&x->config.keys, ACTION_RECORD)));
    if (s->too_large)
        report_say(
            &s->doc, ANSWER_OPEN,
            "too large to be hashed here: `strandline verify CASE` does it, and so does the report");
    else if (s->hashed < s->count)
        report_say(&s->doc, ANSWER_OPEN, "hashing again: %zu of %zu files", s->hashed, s->count);
    else
        report_say(&s->doc, s->changed ? ANSWER_NO : ANSWER_YES,
                   s->redacted && !s->changed
                       ? "%zu of %zu files are redacted, and as they were when that was done"
                   : s->changed
                       ? "%zu of %zu files held are not the bytes that were imported"
                       : "the bytes held are those that were imported: hashed again just now",
                   s->changed ? s->changed : s->redacted, s->count);
    report_say(&s->doc, soundness[x->soundness].answer, "%s", soundness[x->soundness].words);
    report_say_seal(s);
    report_say(&s->doc, ANSWER_OPEN, "that a log ends is no proof that nothing followed");
}

static void report_say_session(struct report_state *s, struct explorer *x)
{
    const struct review_summary *r = &x->summary;
    if (!x->review)
        return;
    report_head(&s->doc, "Proven, in the session that is open");
    if (!r->evidence_refs)
        report_say(&s->doc, ANSWER_OPEN,
                   "no label in it names evidence: they are claims of the servers");
    else
        report_say(
            &s->doc,
            r->evidence_failed                           ? ANSWER_NO
            : r->evidence_recomputed == r->evidence_refs ? ANSWER_YES
                                                         : ANSWER_OPEN,
            "%lld of %lld evidence references re-derive; %lld fail, the others can't be checked (e)",
            (long long)r->evidence_recomputed, (long long)r->evidence_refs,
            (long long)r->evidence_failed);
    if (r->unclaimed)
        report_say(&s->doc, ANSWER_OPEN, "%lld result%s came without any claim",
                   (long long)r->unclaimed, r->unclaimed == 1 ? "" : "s");
    report_say(&s->doc, r->denied ? ANSWER_NO : ANSWER_YES,
               "%lld call%s denied by policy %s, %lld to ask about", (long long)r->denied,
               r->denied == 1 ? " is" : "s are", policy_name(x->options.policy),
               (long long)r->asked);
    struct arena arena = {0};
    struct note_view *notes;
    size_t count = 0, marks = 0;
    struct err err = {0};
    if (notes_list(x->options.case_file, x->session->id, 0, &arena, &notes, &count, &err))
        for (size_t i = 0; i < count; i++)
            marks += notes[i].mark != 0;
    if (count)
        report_say(&s->doc, ANSWER_YES, "of yours goes along: %zu note%s, %zu mark%s",
                   count - marks, count - marks == 1 ? "" : "s", marks, marks == 1 ? "" : "s");
    else
        report_say(&s->doc, ANSWER_OPEN,
                   "there is no note of yours in it; a writes one, m marks a step");
    arena_finish(&arena);
}

static void report_say_limits(struct report_state *s, struct explorer *x)
{
    report_head(&s->doc, "Not recorded");
    for (size_t i = 0; i < s->count && x->options.cannot_show; i++) {
        bool again = !s->sources[i].format.at;
        for (size_t k = 0; k < i && !again; k++)
            again =
                s->sources[k].format.at && span_equal(s->sources[k].format, s->sources[i].format);
        if (again)
            continue;
        for (const char *const *line = x->options.cannot_show(s->sources[i].format); *line; line++)
            report_say(&s->doc, ANSWER_OPEN, "%s", *line);
    }
    report_say(&s->doc, ANSWER_OPEN, "what a server did behind its own door");
}

static void report_fill(struct report_state *s, struct explorer *x)
{
    size_t cursor = s->view.cursor;
    doc_clear(&s->doc);
    doc_line(&s->doc, 0);
    if (x->options.report) {
        doc_ours(&s->doc, STYLE_KEY, "Enter");
        doc_ours(
            &s->doc, STYLE_PLAIN,
            " writes the report: all sessions of the case, as .html, .md, .json or .sarif by the name "
            "you give.");
    } else {
        doc_ours(&s->doc, STYLE_UNKNOWN,
                 "This run writes no reports; `strandline report CASE` does.");
    }
    doc_line(&s->doc, 0);
    doc_ours(&s->doc, STYLE_DIM,
             "Credentials are masked in it. The case itself holds everything as it was recorded: "
             "`strandline redact CASE -o COPY` makes one to share, `strandline seal` signs it.");
    report_say_sources(s, x);
    report_say_session(s, x);
    report_say_limits(s, x);
    doc_view_reset(&s->view, &s->doc);
    s->view.cursor = cursor < s->doc.lines ? cursor : 0;
    s->filled = true;
}

static void report_draw(struct view *v, struct area area)
{
    struct report_state *s = v->state;
    struct explorer *x = v->explorer;
    area = explorer_title(x, area, "Hand over");
    if (x->review && !review_is_checked(x->review) && !x->check_failed) {
        cells_oursf(area, 1, 2, STYLE_UNKNOWN, "Looking for findings: %lld of %lld steps so far.",
                    (long long)x->checked, (long long)review_steps(x->review));
        return;
    }
    if (!s->filled || s->review != x->reviews)
        report_fill(s, x);
    s->review = x->reviews;
    doc_view_draw(&s->view, area_sub(area, 1, 2, area.rows - 1, area.columns - 4), false);
}

static unsigned report_act(struct view *v, enum action action)
{
    struct report_state *s = v->state;
    struct explorer *x = v->explorer;
    if (action == ACTION_OPEN || action == ACTION_REPORT) {
        if (x->options.report)
            prompt_suggest(&x->prompt, PROMPT_REPORT, SPAN("report.html"));
        return VIEW_REDRAW;
    }
    return doc_view_act(&s->view, action) ? VIEW_REDRAW : VIEW_IGNORED;
}

static const struct hint *report_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "write the report"},
                                        {ACTION_RECORD, "record"},
                                        {ACTION_EVIDENCE, "evidence"},
                                        {ACTION_NOTE, "note"},
                                        {0}};
    (void)v;
    return hints;
}

const struct view_ops view_report = {
    .name = "report",
    .title = "Hand over",
    .size = sizeof(struct report_state),
    .open = report_open,
    .close = report_close,
    .draw = report_draw,
    .act = report_act,
    .idle = report_idle,
    .hints = report_hints,
};
