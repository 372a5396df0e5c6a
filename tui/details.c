#include "tui/details.h"

#include "base/jsonr.h"
#include "tui/excerpt.h"

enum { BODY_USUAL = 256 * 1024, BODY_LARGE = 16 * 1024 * 1024 };

const char *detail_tab_title(enum detail_tab tab)
{
    static const char *const titles[] = {
#define X(id, title) title,
        DETAIL_TABS(X)
#undef X
    };
    return titles[tab];
}

void details_init(struct details *d)
{
    *d = (struct details){0};
    doc_init(&d->doc);
    doc_init(&d->sentence);
    doc_view_reset(&d->view, &d->doc);
}

void details_finish(struct details *d)
{
    doc_finish(&d->doc);
    doc_finish(&d->sentence);
}

/* An error in place of what could not be read. */
static void add_problem(struct doc *doc, const struct err *err)
{
    doc_line(doc, 0);
    doc_data(doc, STYLE_ERROR, span_of(err->what));
    if (err->todo[0]) {
        doc_ours(doc, STYLE_DIM, "; ");
        doc_data(doc, STYLE_DIM, span_of(err->todo));
    }
}

static void add_words(struct doc *doc, int indent, enum style style, struct span text)
{
    doc_line(doc, indent);
    doc_data(doc, style, text);
}

/* "Name        value" on a line of its own. */
static void add_field(struct doc *doc, int indent, const char *name, enum style style,
                      struct span value)
{
    doc_line(doc, indent);
    doc_oursf(doc, STYLE_DIM, "%-17s ", name);
    doc_hang(doc, indent + 18);
    doc_data(doc, style, value);
}

static void add_label(struct doc *doc, const char *name, const struct label_pool *pool,
                      struct label label)
{
    struct buf text = {0};
    label_text(&text, pool, label);
    add_field(doc, 0, name, style_of_label(label), buf_span(&text));
    buf_finish(&text);
}

/* ---- Request, Result, Raw ---- */

static void add_body_text(struct doc *doc, struct span body, bool whole)
{
    if (!body.len)
        add_words(doc, 0, STYLE_DIM, SPAN("empty"));
    else if (whole || !doc_json(doc, 0, body))
        doc_text(doc, 0, STYLE_PLAIN, body, false);
}

static void add_body(struct details *d, struct explorer *x, int64_t n, bool whole)
{
    struct buf body = {0};
    struct err err = {0};
    bool cut = false;
    uint64_t limit = d->loaded_large ? BODY_LARGE : BODY_USUAL;
    bool good = whole ? review_message(x->review, n, limit, &body, &cut, &err)
                      : review_body(x->review, n, limit, &body, &cut, &err);
    d->doc.cut = cut;
    if (!good)
        add_problem(&d->doc, &err);
    else if (!doc_is_stopped(&d->doc, body.len)) /* else it is read another time */
        add_body_text(&d->doc, buf_span(&body), whole);
    if (cut) {
        doc_line(&d->doc, 0);
        doc_oursf(&d->doc, STYLE_UNKNOWN, "cut here, at %zu bytes%s", body.len,
                  d->loaded_large ? "; `strandline show` gives all of it" : "; z shows more");
    }
    buf_finish(&body);
}

/* The call that a row belongs to, and its result; for other kinds the row itself is both. */
static int64_t request_of(const struct flow_row *row)
{
    return row->step.kind == STEP_TOOL_RESULT ? row->step.call_n : row->step.n;
}

static int64_t result_of(const struct flow_row *row)
{
    return row->step.kind == STEP_TOOL_CALL ? row->step.result_n : row->step.n;
}

static void add_request(struct details *d, struct explorer *x, const struct flow_row *row)
{
    int64_t n = request_of(row);
    if (n)
        add_body(d, x, n, false);
    else
        add_words(&d->doc, 0, STYLE_UNKNOWN,
                  SPAN("the record does not hold the request of this result"));
}

static void add_result(struct details *d, struct explorer *x, const struct flow_row *row)
{
    int64_t n = result_of(row);
    if (n)
        add_body(d, x, n, false);
    else if (row->step.outcome == OUTCOME_REFUSED)
        add_words(&d->doc, 0, STYLE_UNKNOWN, SPAN("refused: it was not carried out"));
    else
        add_words(&d->doc, 0, STYLE_UNKNOWN, SPAN("no result was recorded"));
}

/* What a body says: the texts of its content, all of it where it has none. A host keeps the text
 * alone of what a server sent. */
static void details_texts(struct span body, struct buf *out)
{
    struct jsonr r;
    bool text = false;
    jsonr_init(&r, body);
    while (jsonr_next(&r) > JSONR_END) {
        if (r.token == JSONR_STRING && text)
            jsonr_string(span_from(r.value.at - 1, r.value.at + r.value.len + 1), out, NULL);
        text = r.token == JSONR_NAME && span_is(r.value, "text");
    }
    if (r.token == JSONR_ERROR || !out->len) {
        buf_clear(out);
        buf_add(out, body);
    }
    jsonr_finish(&r);
}

/* Does this recording say what the step says? Where not, the first place where they part. */
static void compare_recording(struct details *d, struct explorer *x, struct span here,
                              const struct recording_view *recording)
{
    struct buf there = {0}, texts[2] = {{0}, {0}};
    struct err err = {0};
    bool cut = false;
    if (!review_recording_body(x->review, recording, BODY_USUAL, &there, &cut, &err)) {
        add_problem(&d->doc, &err);
    } else if (span_equal(here, buf_span(&there))) {
        doc_ours(&d->doc, STYLE_GOOD, cut ? "  begins with the same" : "  says the same");
    } else {
        details_texts(here, &texts[0]);
        details_texts(buf_span(&there), &texts[1]);
        bool same = span_equal(buf_span(&texts[0]), buf_span(&texts[1]));
        doc_ours(&d->doc, same ? STYLE_GOOD : STYLE_UNKNOWN,
                 same ? "  has the same text" : "  says something else; here, and there:");
        if (!same)
            excerpt_differ(&d->doc, buf_span(&texts[0]), buf_span(&texts[1]));
    }
    buf_finish(&there);
    buf_finish(&texts[0]);
    buf_finish(&texts[1]);
}

/* The same message in other logs, or what a server sent beside what the model was shown. */
static void add_recordings(struct details *d, struct explorer *x, int64_t n)
{
    struct arena arena = {0};
    struct recording_view *all;
    struct buf here = {0};
    struct err err = {0};
    size_t count = 0;
    bool cut;
    if (!review_recordings(x->review, n, &arena, &all, &count, &err) ||
        (count && !review_body(x->review, n, BODY_USUAL, &here, &cut, &err)))
        add_problem(&d->doc, &err);
    for (size_t i = 0; i < count; i++) {
        doc_line(&d->doc, 0);
        doc_ours(&d->doc, STYLE_DIM, "also in ");
        doc_data(&d->doc, STYLE_STRONG, all[i].file);
        if (all[i].line)
            doc_oursf(&d->doc, STYLE_DIM, "  line %llu,", (unsigned long long)all[i].line);
        doc_oursf(&d->doc, STYLE_DIM, " bytes %llu to %llu", (unsigned long long)all[i].offset,
                  (unsigned long long)(all[i].offset + all[i].length));
        compare_recording(d, x, buf_span(&here), &all[i]);
    }
    buf_finish(&here);
    arena_finish(&arena);
}

static void add_raw(struct details *d, struct explorer *x, const struct flow_row *row)
{
    uint64_t end = row->step.whole.offset + row->step.whole.length;
    doc_line(&d->doc, 0);
    doc_data(&d->doc, STYLE_STRONG, row->file);
    doc_oursf(&d->doc, STYLE_DIM, "  line %llu, bytes %llu to %llu",
              (unsigned long long)row->step.line, (unsigned long long)row->step.whole.offset,
              (unsigned long long)end);
    if (row->step.whole.recipe.len) {
        doc_ours(&d->doc, STYLE_DIM, ", unpacked by ");
        doc_data(&d->doc, STYLE_DIM, row->step.whole.recipe);
    }
    add_recordings(d, x, row->step.n);
    add_body(d, x, row->step.n, true);
}

/* ---- Label ---- */

static enum style style_of_verdict(enum verdict verdict)
{
    return verdict == VERDICT_DENY    ? STYLE_DENY
           : verdict == VERDICT_ASK   ? STYLE_ASK
           : verdict == VERDICT_ALLOW ? STYLE_ALLOW
                                      : STYLE_DIM;
}

static void add_verdict(struct doc *doc, const char *name, enum verdict verdict,
                        const char *meaning)
{
    const char *word = verdict_word(verdict);
    doc_line(doc, 0);
    doc_oursf(doc, STYLE_DIM, "%-17s ", name);
    doc_hang(doc, 24);
    doc_oursf(doc, style_of_verdict(verdict), "%s", word ? word : "does not apply");
    doc_oursf(doc, STYLE_DIM, "  %s", meaning);
}

/* Both rules are always computed; one that the policy does not ask of this call decides nothing. */
static void add_rule(struct doc *doc, const char *name, enum verdict verdict, bool asked,
                     const char *meaning)
{
    add_verdict(doc, name, verdict, meaning);
    if (verdict > VERDICT_ALLOW && !asked)
        doc_ours(doc, STYLE_UNKNOWN, "; the policy does not ask it of this call");
}

static void add_call(struct doc *doc, const struct flow_row *row, unsigned asked)
{
    static const char *const roles[] = {"neither writes nor sends out", "consequential", "egress",
                                        "consequential, egress"};
    doc_line(doc, 0);
    doc_oursf(doc, STYLE_DIM, "%-17s ", "role of the call");
    doc_ours(doc, STYLE_PLAIN, roles[row->role & 3]);
    const char *origin = role_origin_word(row->role_origin);
    if (origin)
        doc_oursf(doc, STYLE_DIM, row->role_origin == ROLE_FROM_DEFAULT ? "  %s" : "  by %s",
                  origin);
    if (row->audience.len) {
        add_field(doc, 0, "who can read it", STYLE_PLAIN, row->audience);
        if (row->audience_assumed)
            doc_ours(doc, STYLE_UNKNOWN, "  assumed: the record does not say");
    }
    add_verdict(doc, "verdict", row->verdict, "under this policy");
    add_rule(doc, "  P-T", row->trusted_action, asked & ASKED_TRUSTED_ACTION,
             "trusted action: what changes things needs a trusted context");
    add_rule(doc, "  P-F", row->permitted_flow, asked & ASKED_PERMITTED_FLOW,
             "permitted flow: what leaves may only reach those who may read it");
}

static void add_reasons(struct details *d, struct explorer *x, const struct flow_row *row,
                        const struct replay_out *out)
{
    struct buf text = {0};
    if (out->reason_count) {
        doc_line(&d->doc, 0);
        doc_ours(&d->doc, STYLE_STRONG, "Rule by rule");
    }
    for (size_t i = 0; i < out->reason_count; i++) {
        const struct reason *reason = &out->reasons[i];
        buf_clear(&text);
        reason_sentence(&text, review_labels(x->review), &row->step, reason);
        doc_line(&d->doc, 2);
        doc_oursf(&d->doc, STYLE_KEY, "%-18s ", reason->rule);
        doc_hang(&d->doc, 21);
        doc_data(&d->doc, STYLE_PLAIN, buf_span(&text));
        if (reason->pointer.len) {
            doc_ours(&d->doc, STYLE_DIM, "  at ");
            doc_data(&d->doc, STYLE_DIM, reason->pointer);
        }
    }
    buf_finish(&text);
}

static void add_claims(struct details *d, struct explorer *x, int64_t n)
{
    struct arena arena = {0};
    struct claim_view *claims;
    size_t count = 0;
    struct err err = {0};
    if (!review_claims(x->review, n, &arena, &claims, &count, &err))
        add_problem(&d->doc, &err);
    if (count) {
        doc_line(&d->doc, 0);
        doc_ours(&d->doc, STYLE_STRONG, "Claimed on the wire");
    }
    for (size_t i = 0; i < count; i++) {
        const struct claim_view *c = &claims[i];
        doc_line(&d->doc, 2);
        doc_data(&d->doc, STYLE_KEY, c->shape);
        doc_ours(&d->doc, STYLE_PLAIN, "  ");
        doc_data(&d->doc, STYLE_JSON_NAME, c->name);
        doc_ours(&d->doc, STYLE_PLAIN, "  ");
        doc_data(&d->doc, STYLE_JSON_WORD, c->value);
        if (c->block >= 0)
            doc_oursf(&d->doc, STYLE_DIM, "  on block %d", c->block);
        doc_ours(&d->doc, STYLE_DIM, "  at ");
        doc_data(&d->doc, STYLE_DIM, c->pointer);
        if (c->problem.at) {
            doc_ours(&d->doc, STYLE_BAD, "  ✘ ");
            doc_data(&d->doc, STYLE_BAD, c->problem);
        }
    }
    arena_finish(&arena);
}

static void add_findings(struct details *d, struct explorer *x, int64_t n)
{
    struct arena arena = {0};
    struct finding_view *findings;
    size_t count = 0;
    struct err err = {0};
    if (!review_findings(x->review, n, &arena, &findings, &count, &err))
        add_problem(&d->doc, &err);
    if (count) {
        doc_line(&d->doc, 0);
        doc_ours(&d->doc, STYLE_STRONG, "Found here");
    }
    for (size_t i = 0; i < count; i++) {
        int severity = (int)findings[i].severity;
        doc_line(&d->doc, 2);
        doc_oursf(&d->doc, style_of_severity(severity), "%s %s ", glyph_of_severity(severity),
                  severity_word(findings[i].severity));
        doc_data(&d->doc, STYLE_KEY, findings[i].code);
        doc_ours(&d->doc, STYLE_PLAIN, "  ");
        doc_data(&d->doc, STYLE_PLAIN, findings[i].message);
    }
    arena_finish(&arena);
}

static void add_label_tab(struct details *d, struct explorer *x, const struct flow_row *row,
                          const struct replay_out *out)
{
    const struct label_pool *pool = review_labels(x->review);
    if (row->has_label) {
        add_label(&d->doc, "label", pool, row->label);
        const char *origin = label_origin_word(row->origin);
        doc_oursf(&d->doc, row->origin == ORIGIN_VERIFIED ? STYLE_GOOD : STYLE_UNKNOWN, "  %s",
                  row->origin == ORIGIN_NONE ? "nothing was claimed and nothing is assumed"
                                             : origin);
    }
    if (row->step.kind == STEP_TOOL_CALL || row->role)
        add_call(&d->doc, row, out->asked);
    add_label(&d->doc, "context before", pool, row->before);
    add_label(&d->doc, "context after", pool, row->after);
    if (row->unclaimed)
        doc_oursf(&d->doc, STYLE_UNKNOWN, "  and %lld result%s that came without any claim",
                  (long long)row->unclaimed, row->unclaimed == 1 ? "" : "s");
    add_reasons(d, x, row, out);
    add_claims(d, x, row->step.n);
    add_findings(d, x, row->step.n);
}

/* ---- Evidence ---- */

void details_add_verdict(struct doc *doc, const struct evidence_view *e, bool whole)
{
    doc_line(doc, 0);
    doc_oursf(doc, style_of_evidence(e->verdict), "%s ", glyph_of_evidence(e->verdict));
    doc_data(doc, style_of_evidence(e->verdict),
             e->verdict.len ? e->verdict : SPAN("not checked yet"));
    struct span reason = e->reason;
    if (e->verdict.len && span_starts_with(reason, e->verdict)) { /* said already */
        reason = span_sub(reason, e->verdict.len, reason.len);
        if (reason.len && reason.at[0] == ':')
            reason = span_trim(span_sub(reason, 1, reason.len));
    }
    doc_hang(doc, 2);
    doc_ours(doc, STYLE_PLAIN, "  ");
    doc_data(doc, STYLE_PLAIN, whole ? reason : span_sub(reason, 0, span_find_byte(reason, ';')));
}

void details_add_reference(struct doc *doc, const struct evidence_view *e)
{
    const struct {
        const char *name;
        struct span value;
    } fields[] = {
        {"type", e->type},        {"digest", e->digest}, {"canonicalization", e->canonicalization},
        {"schema", e->schema},    {"ref", e->ref},       {"record held", e->record},
        {"stands at", e->pointer}};
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        if (fields[i].value.at)
            add_field(doc, 2, fields[i].name, STYLE_PLAIN, fields[i].value);
        else
            add_field(doc, 2, fields[i].name, STYLE_UNKNOWN,
                      i == 5 ? SPAN("none") : SPAN("absent"));
    }
    size_t line = doc->lines;
    doc_line(doc, 2);
    doc_ours(doc, STYLE_DIM, "as it stands on the wire ");
    if (!doc_json(doc, 4, e->raw))
        doc_text(doc, 4, STYLE_PLAIN, e->raw, false);
    doc_fold_from(doc, line, true);
}

static void add_evidence_tab(struct details *d, struct explorer *x, const struct flow_row *row)
{
    struct arena arena = {0};
    struct evidence_view *evidence;
    size_t count = 0;
    struct err err = {0};
    if (!review_evidence(x->review, row->step.n, &arena, &evidence, &count, &err))
        add_problem(&d->doc, &err);
    else if (!count)
        add_words(&d->doc, 0, STYLE_DIM, SPAN("this step refers to no evidence record"));
    for (size_t i = 0; i < count; i++) {
        details_add_verdict(&d->doc, &evidence[i], true);
        details_add_reference(&d->doc, &evidence[i]);
    }
    arena_finish(&arena);
}

/* ---- Notes ---- */

static void add_notes_tab(struct details *d, struct explorer *x, const struct flow_row *row)
{
    struct arena arena = {0};
    struct note_view *notes;
    size_t count = 0;
    struct err err = {0};
    if (!notes_list(x->options.case_file, x->session->id, row->step.n, &arena, &notes, &count,
                    &err))
        add_problem(&d->doc, &err);
    else if (!count)
        add_words(&d->doc, 0, STYLE_DIM,
                  SPAN("no notes on this step; a writes one, m marks the step"));
    for (size_t i = 0; i < count; i++) {
        doc_line(&d->doc, 0);
        doc_data(&d->doc, STYLE_DIM, notes[i].created_at);
        if (notes[i].mark)
            doc_oursf(&d->doc, STYLE_NOTE, "  ⚑ mark %c", notes[i].mark);
        else {
            doc_ours(&d->doc, STYLE_NOTE, "  ✎ ");
            doc_data(&d->doc, STYLE_NOTE, notes[i].text);
        }
    }
    arena_finish(&arena);
}

/* ---- all ---- */

/* Request on a call, Result on a result, unless another tab was chosen. */
static void follow(struct details *d, const struct flow_row *row)
{
    if (d->picked && d->tab != DETAIL_REQUEST && d->tab != DETAIL_RESULT)
        return;
    if (d->picked && d->n == row->step.n)
        return;
    d->picked = false;
    d->tab = row->step.kind == STEP_TOOL_CALL ? DETAIL_REQUEST : DETAIL_RESULT;
}

static void details_fill(struct details *d, struct explorer *x, const struct flow_row *row,
                         const struct replay_out *out)
{
    switch (d->tab) {
    case DETAIL_REQUEST:
        add_request(d, x, row);
        break;
    case DETAIL_RESULT:
        add_result(d, x, row);
        break;
    case DETAIL_LABEL:
        add_label_tab(d, x, row, out);
        break;
    case DETAIL_EVIDENCE:
        add_evidence_tab(d, x, row);
        break;
    case DETAIL_RAW:
        add_raw(d, x, row);
        break;
    case DETAIL_NOTES:
        add_notes_tab(d, x, row);
        break;
    case DETAIL_TAB_COUNT:
        break;
    }
}

static void tell(struct details *d, struct explorer *x, const struct flow_row *row,
                 const struct replay_out *out)
{
    struct buf text = {0};
    replay_sentence(&text, review_labels(x->review), &row->step, out);
    enum style style = row->verdict == VERDICT_DENY  ? STYLE_DENY
                       : row->verdict == VERDICT_ASK ? STYLE_ASK
                                                     : STYLE_STRONG;
    doc_line(&d->sentence, 0);
    doc_data(&d->sentence, style, buf_span(&text));
    buf_finish(&text);
}

/* Fills the documents anew, of the tab that is chosen. */
static void details_read(struct details *d, struct explorer *x, int64_t n, bool same_step)
{
    struct flow_row row = {0};
    struct replay_out out = {0};
    struct err err = {0};
    bool good = review_explain(x->review, n, &row, &out, &err);
    doc_clear(&d->doc);
    doc_clear(&d->sentence);
    if (good) {
        if (!same_step)
            follow(d, &row);
        tell(d, x, &row, &out);
        details_fill(d, x, &row, &out);
    } else {
        add_problem(&d->doc, &err);
    }
    d->n = n;
    d->review = x->reviews;
    d->loaded_tab = d->tab;
    d->notes_version = x->notes_version;
}

bool details_load(struct details *d, struct explorer *x, int64_t n)
{
    bool same_step = d->n == n && d->review == x->reviews;
    if (same_step && d->loaded_tab == d->tab && d->notes_version == x->notes_version)
        return false;
    d->loaded_large = false;
    details_read(d, x, n, same_step);
    doc_view_reset(&d->view, &d->doc);
    return true;
}

static bool key_waits(void *arg)
{
    const struct explorer *x = arg;
    return x->has_key && x->has_key(x->terminal);
}

/* Into a document of its own, so that the one on the screen stays until all of it is there. */
static bool read_whole(struct details *d, struct explorer *x, bool until_key)
{
    struct doc before = d->doc;
    doc_init(&d->doc);
    if (until_key) {
        d->doc.stop = key_waits;
        d->doc.stop_arg = x;
    }
    d->loaded_large = true;
    details_read(d, x, d->n, true);
    d->loaded_large = !d->doc.stopped;
    d->doc.stop = NULL;
    struct doc left = d->loaded_large ? before : d->doc;
    d->doc = d->loaded_large ? d->doc : before;
    doc_finish(&left);
    return d->loaded_large;
}

void details_rest(struct details *d, struct explorer *x, bool until_key)
{
    if (!d->large || d->loaded_large || !d->doc.cut || !d->n || d->review != x->reviews)
        return;
    size_t lines = d->doc.lines;
    bool at_end = d->view.cursor + 1 >= lines;
    bool *folded = NEW_ARRAY(bool, lines + 1);
    for (size_t i = 0; i < lines; i++)
        folded[i] = d->doc.line[i].folded;
    bool whole = read_whole(d, x, until_key);
    for (size_t i = 0; whole && i < lines && i < d->doc.lines; i++)
        d->doc.line[i].folded = folded[i] && d->doc.line[i].fold_end;
    mem_free(folded);
    if (whole && at_end)
        doc_view_act(&d->view, ACTION_BOTTOM);
}
