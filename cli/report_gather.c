/* What goes into a report: asked of the query layer, cut to what a person reads, secrets masked. */
#include "cli/report.h"

#include <stdlib.h>

#include "base/jsonr.h"
#include "base/text.h"
#include "base/timefmt.h"
#include "model/case/source.h"
#include "model/trace/secret.h"
#include "tui/preview.h"

enum {
    GATHER_PAGE = 256,
    GATHER_BODY = 256 * 1024, /* of a body, for its text and the places in it */
    GATHER_AROUND = 60,       /* bytes beside a place */
    GATHER_PLACES = 12,       /* of one finding */
};

/* ---- text ---- */

static size_t report_boundary(struct span s, size_t at)
{
    while (at > 0 && at < s.len && ((unsigned char)s.at[at] & 0xC0) == 0x80)
        at--;
    return at > s.len ? s.len : at;
}

/* Bytes from … to of a text, credentials masked; they are looked for in the whole text, so that a
 * cut can't hide half of one. */
static struct span report_masked(struct arena *arena, struct span text, size_t from, size_t to)
{
    struct secret *secrets;
    size_t count;
    struct buf out = {0};
    struct arena scratch = {0};
    secrets_find(text, &scratch, &secrets, &count);
    secrets_mask_in(&out, text, report_boundary(text, from), report_boundary(text, to), secrets,
                    count);
    struct span kept = arena_copy(arena, buf_span(&out));
    buf_finish(&out);
    arena_finish(&scratch);
    return kept;
}

static struct span report_masked_all(struct arena *arena, struct span text)
{
    return report_masked(arena, text, 0, text.len);
}

/* The text of a step in one line: arguments as they are, of all else the text inside. */
static struct span report_step_text(struct report_session *s, const struct step *step)
{
    int64_t n = step->n;
    struct buf body = {0}, line = {0};
    struct err err = {0};
    bool cut;
    struct span text = SPAN_EMPTY;
    if (review_body(s->review, n, 8 * 1024, &body, &cut, &err)) {
        struct span masked = report_masked_all(&s->arena, buf_span(&body));
        if (step->kind == STEP_TOOL_CALL)
            buf_add(&line, masked);
        else
            preview_text(masked, &line);
        if (line.len > REPORT_TEXT) {
            line.len = report_boundary(buf_span(&line), REPORT_TEXT);
            cut = true;
        }
        buf_puts(&line, cut ? " …" : "");
        text = arena_copy(&s->arena, buf_span(&line));
    }
    buf_finish(&body);
    buf_finish(&line);
    return text;
}

void report_time(struct buf *out, int64_t ns, int digits)
{
    if (digits < 0)
        buf_puts(out, "no time recorded");
    else
        time_print(out, ns, digits > 3 ? 3 : digits);
}

void report_label(struct buf *out, struct review *review, const struct flow_row *row)
{
    if (!row->has_label)
        return;
    if (row->origin == ORIGIN_NONE) { /* not claimed is not claimed to be trusted */
        buf_puts(out, "no claim");
        return;
    }
    label_text(out, review_labels(review), row->label);
    buf_addf(out, " (%s)", label_origin_word(row->origin));
}

struct span report_reason(const struct evidence_view *e)
{
    size_t word = e->verdict.len;
    return word && span_starts_with(e->reason, e->verdict) && e->reason.len > word &&
                   e->reason.at[word] == ':'
               ? span_trim(span_sub(e->reason, word + 1, e->reason.len))
               : e->reason;
}

const char *report_state_text(enum source_state state)
{
    return state == SOURCE_UNCHANGED  ? "✔ unchanged"
           : state == SOURCE_REDACTED ? "? redacted: the digest is that of the original"
                                      : "✘ changed";
}

void report_counts(struct buf *out, const int64_t findings[5])
{
    size_t begin = out->len;
    for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_INFO; severity--)
        if (findings[severity])
            buf_addf(out, "%s%lld %s", out->len > begin ? ", " : "", (long long)findings[severity],
                     severity_word((enum severity)severity));
    if (out->len == begin)
        buf_puts(out, "none");
}

void report_who(struct buf *out, const struct flow_row *row)
{
    const char *sign = row->step.kind == STEP_TOOL_CALL     ? "call of "
                       : row->step.kind == STEP_TOOL_RESULT ? "result of "
                                                            : "";
    buf_puts(out, sign);
    if (!sign[0])
        buf_puts(out, step_kind_word(row->step.kind));
    if (row->step.server.len) {
        buf_puts(out, sign[0] ? "" : " of ");
        buf_add(out, row->step.server);
    }
    if (row->step.tool.len) {
        buf_puts(out, row->step.server.len ? "." : sign[0] ? "" : " ");
        buf_add(out, row->step.tool);
    }
}

/* ---- the timeline ---- */

/* Does a reader need this row where not all can be shown? */
static bool report_matters(const struct flow_row *row)
{
    return row->changed || row->verdict >= VERDICT_ASK || row->evidence_bad ||
           (row->finding_count && row->worst >= SEVERITY_LOW) || row->step.kind == STEP_PROMPT;
}

static bool report_happens(const struct flow_row *row)
{
    return row->changed || row->verdict >= VERDICT_ASK;
}

static bool report_add_step(struct report_session *s, size_t *room, const struct flow_row *row,
                            int64_t left_out, struct err *err)
{
    struct span rule;
    s->steps = mem_one_more(s->steps, s->step_count, room, sizeof *s->steps);
    struct report_step *step = &s->steps[s->step_count++];
    *step = (struct report_step){.row = *row, .left_out = left_out};
    step->text = report_step_text(s, &row->step);
    step->sentence = SPAN_EMPTY;
    if (!review_context_origin(s->review, row->step.n, &step->context_origin, &rule, err))
        return false;
    step->context_rule = arena_copy(&s->arena, rule);
    if (report_happens(row)) {
        struct flow_row again;
        struct replay_out out;
        struct buf sentence = {0};
        if (!review_explain(s->review, row->step.n, &again, &out, err))
            return false;
        replay_sentence(&sentence, review_labels(s->review), &again.step, &out);
        step->sentence = report_masked_all(&s->arena, buf_span(&sentence));
        buf_finish(&sentence);
    }
    return true;
}

/* Long and rare before short and common; else as they stand. */
static int report_origin_order(const void *a, const void *b)
{
    const struct origin *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* What goes out, with the earlier text that stands in it. */
static bool report_add_egress(struct report_session *s, size_t *room, const struct flow_row *row,
                              struct err *err)
{
    s->egress = mem_one_more(s->egress, s->egress_count, room, sizeof *s->egress);
    struct report_egress *e = &s->egress[s->egress_count++];
    *e = (struct report_egress){.row = *row, .text = report_step_text(s, &row->step)};
    e->looked = s->egress_count <= REPORT_TRACED && row->step.n <= REPORT_TRACE_STEPS;
    struct origins origins = {0};
    if (e->looked && !review_origins(s->review, row->step.n, SPAN_EMPTY, &s->arena, &origins, err))
        return false;
    e->capped = origins.capped;
    if (origins.count)
        qsort(origins.items, origins.count, sizeof *origins.items, report_origin_order);
    for (size_t i = 0; i < origins.count; i++) {
        const struct origin *o = &origins.items[i];
        if (e->pieces == REPORT_PIECES) {
            e->more++;
            continue;
        }
        e->piece[e->pieces].pointer = o->pointer;
        e->piece[e->pieces].text = report_masked_all(&s->arena, o->text);
        e->piece[e->pieces].n = o->n;
        e->piece[e->pieces].source = o->source;
        e->piece[e->pieces++].how = o->how;
    }
    return true;
}

static bool report_walk(struct report_session *s, struct err *err)
{
    struct flow_row *rows = NEW_ARRAY(struct flow_row, GATHER_PAGE), kept;
    struct arena page = {0};
    int64_t last = review_steps(s->review), left_out = 0;
    size_t room = 0, egress_room = 0;
    bool ok = true, all = last <= REPORT_STEPS;
    for (int64_t n = 1; ok && n <= last;) {
        arena_reset(&page);
        long got = review_rows(s->review, n, GATHER_PAGE, 0, &page, rows, err);
        ok = got > 0;
        for (long i = 0; ok && i < got; i++) {
            bool shown = s->step_count < REPORT_STEPS && (all || report_matters(&rows[i]));
            bool leaves = rows[i].role & ROLE_EGRESS;
            s->egress_left_out += leaves && s->egress_count == REPORT_EGRESS;
            leaves = leaves && s->egress_count < REPORT_EGRESS;
            if (shown || leaves) /* the page goes, what is shown stays */
                ok = review_rows(s->review, n + i, 1, 0, &s->arena, &kept, err) == 1;
            if (ok && shown)
                ok = report_add_step(s, &room, &kept, left_out, err);
            left_out = shown ? 0 : left_out + 1;
            if (ok && leaves)
                ok = report_add_egress(s, &egress_room, &kept, err);
        }
        n += got;
    }
    arena_finish(&page);
    mem_free(rows);
    return ok;
}

/* ---- findings ---- */

static uint64_t report_number(struct span object, const char *name)
{
    struct span value;
    int64_t number = 0;
    return jsonr_member(object, name, &value) && jsonr_int(value, &number) && number > 0
               ? (uint64_t)number
               : 0;
}

static void report_place(struct report_session *s, struct span item, struct report_excerpt *place)
{
    struct span pointer, plain;
    uint64_t offset = report_number(item, "offset"), length = report_number(item, "length");
    *place = (struct report_excerpt){.n = (int64_t)report_number(item, "step"),
                                     .pointer = SPAN_EMPTY,
                                     .before = SPAN_EMPTY,
                                     .text = SPAN_EMPTY,
                                     .after = SPAN_EMPTY};
    if (jsonr_member(item, "pointer", &pointer) && jsonr_plain_string(pointer, &plain))
        place->pointer = arena_copy(&s->arena, plain);
    if (!place->n || !length || offset + length > GATHER_BODY)
        return;
    struct buf body = {0};
    struct err err = {0};
    bool cut;
    if (review_body(s->review, place->n, GATHER_BODY, &body, &cut, &err) &&
        offset + length <= body.len) {
        struct span text = buf_span(&body);
        size_t from = (size_t)offset,
               shown = (size_t)length < REPORT_TEXT ? (size_t)length : REPORT_TEXT;
        size_t before = from > GATHER_AROUND ? from - GATHER_AROUND : 0;
        place->before = report_masked(&s->arena, text, before, from);
        place->text = report_masked(&s->arena, text, from, from + shown);
        if (shown == length)
            place->after =
                report_masked(&s->arena, text, from + shown, from + shown + GATHER_AROUND);
    }
    buf_finish(&body);
}

static void report_places(struct report_session *s, struct report_finding *f)
{
    struct span list;
    struct jsonr_items items;
    f->places = arena_array(&s->arena, GATHER_PLACES, sizeof *f->places);
    if (!jsonr_valid(f->view.detail, NULL, NULL) ||
        !jsonr_member(f->view.detail, "evidence", &list))
        return;
    jsonr_items_init(&items, list);
    while (f->place_count < GATHER_PLACES && jsonr_items_next(&items))
        report_place(s, items.value, &f->places[f->place_count++]);
}

static bool report_add_findings(struct report_session *s, struct err *err)
{
    struct finding_view *views;
    size_t count;
    if (!review_findings(s->review, 0, &s->arena, &views, &count, err))
        return false;
    s->findings_left_out = count > REPORT_FINDINGS ? count - REPORT_FINDINGS : 0;
    count -= s->findings_left_out; /* the worst are first */
    s->findings = arena_array(&s->arena, count + 1, sizeof *s->findings);
    for (size_t i = 0; i < count; i++) {
        struct report_finding *f = &s->findings[s->finding_count++];
        f->view = views[i];
        f->message = report_masked_all(&s->arena, views[i].message);
        report_places(s, f);
    }
    return true;
}

/* ---- a session ---- */

static bool report_add_causes(struct report_session *s, struct err *err)
{
    static const char *const axes[] = {"untrusted", "private"};
    int64_t last = review_steps(s->review);
    bool rose[] = {s->summary.first_untrusted > 0, s->summary.first_private > 0};
    for (int a = 0; a < 2; a++) {
        s->cause[a].axis = axes[a];
        s->cause[a].n = s->summary.first_denied ? s->summary.first_denied : last;
        if (rose[a] && last &&
            !review_why(s->review, s->cause[a].n, (enum axis)a, &s->arena, &s->cause[a].why, err))
            return false;
    }
    return true;
}

/* Only definitions that changed are news. */
static bool report_add_tools(struct report_session *s, struct err *err)
{
    struct tool_view *tools;
    size_t count;
    if (!review_tools(s->review, &s->arena, &tools, &count, err))
        return false;
    s->tools = arena_array(&s->arena, count + 1, sizeof *s->tools);
    for (size_t i = 0; i < count; i++)
        if (tools[i].version_count > 1)
            s->tools[s->tool_count++] = tools[i];
    return true;
}

bool report_session_gather(const struct report *r, const struct session_view *view,
                           struct report_session *s, struct err *err)
{
    *s = (struct report_session){.view = *view};
    s->review = review_open(r->c, view->id, r->policy, false, NULL, NULL, err);
    bool ok = s->review && review_check(s->review, NULL, NULL, err) &&
              review_summary(s->review, &s->summary, err) && report_walk(s, err) &&
              report_add_findings(s, err) && report_add_causes(s, err) &&
              review_evidence(s->review, 0, &s->arena, &s->evidence, &s->evidence_count, err) &&
              report_add_tools(s, err) &&
              notes_list(r->c, view->id, 0, &s->arena, &s->notes, &s->note_count, err);
    if (!ok)
        report_session_finish(s);
    return ok;
}

void report_session_finish(struct report_session *s)
{
    review_close(s->review);
    mem_free(s->steps);
    mem_free(s->egress);
    arena_finish(&s->arena);
    *s = (struct report_session){0};
}

/* ---- the case ---- */

static void report_limits(struct report *r)
{
    for (size_t i = 0; i < r->source_count; i++)
        account_add_limits(&r->limits, r->sources[i].view.format);
    account_end_limits(&r->limits);
}

static bool report_sources(struct report *r, struct err *err)
{
    struct source_view *views;
    if (!query_sources(r->c, &r->arena, &views, &r->source_count, err))
        return false;
    r->sources = arena_array(&r->arena, r->source_count + 1, sizeof *r->sources);
    r->sources_whole = r->sources_same = true;
    for (size_t i = 0; i < r->source_count; i++) {
        struct report_source *source = &r->sources[i];
        const struct source_view *v = &views[i];
        source->view = *v;
        if (v->sha256.at && !source_verify(r->c, v->id, &source->state, err))
            return false;
        if (v->diagnostic_count &&
            !query_diagnostics(r->c, v->id, 0, REPORT_DIAGNOSTICS, &r->arena, &source->diagnostics,
                               &source->diagnostic_count, err))
            return false;
        r->sources_same = r->sources_same && source->state != SOURCE_CHANGED;
        r->sources_redacted = r->sources_redacted || source->state == SOURCE_REDACTED;
        if (v->format.at)
            r->sources_whole = r->sources_whole && v->complete && !v->diagnostic_count &&
                               v->event + v->noise + v->diagnostic + v->blank == v->bytes;
    }
    return true;
}

/* Numbers over all sessions, for what is said first: the findings are made here. What the case has
 * of an earlier replay is not relied upon: who sent it may have written that too, and a report goes
 * on to others. */
static bool report_add_up(struct report *r, struct err *err)
{
    for (size_t i = 0; i < r->session_count; i++) {
        struct review_summary sum;
        struct review *review =
            review_open(r->c, r->sessions[i].id, r->policy, true, NULL, NULL, err);
        bool ok =
            review && review_check(review, NULL, NULL, err) && review_summary(review, &sum, err);
        review_close(review);
        if (!ok)
            return false;
        for (int k = 0; k < 5; k++)
            r->findings[k] += sum.findings[k];
        r->denied += sum.denied;
        r->asked += sum.asked;
        r->evidence_refs += sum.evidence_refs;
        r->evidence_ok += sum.evidence_recomputed;
        r->evidence_failed += sum.evidence_failed;
    }
    return true;
}

/* The list as it is now that the findings are known. */
static bool report_refresh(struct report *r, struct err *err)
{
    struct session_view *all;
    size_t count;
    if (!query_sessions(r->c, r->policy, &r->arena, &all, &count, err))
        return false;
    for (size_t i = 0; i < r->session_count; i++)
        for (size_t k = 0; k < count; k++)
            if (all[k].id == r->sessions[i].id) {
                r->sessions[i] = all[k];
                break;
            }
    return true;
}

bool report_gather(struct report *r, struct case_file *c, const struct policy *policy,
                   const char *name, const struct session_view *sessions, size_t count,
                   struct err *err)
{
    *r = (struct report){.c = c, .policy = policy, .name = name, .session_count = count};
    r->sessions = arena_array(&r->arena, count + 1, sizeof *r->sessions);
    for (size_t i = 0; i < count; i++)
        r->sessions[i] = sessions[i];
    bool ok = report_sources(r, err) && report_add_up(r, err) && report_refresh(r, err);
    if (ok)
        report_limits(r);
    else
        report_finish(r);
    return ok;
}

void report_finish(struct report *r)
{
    arena_finish(&r->arena);
    *r = (struct report){0};
}
