/* The report as one JSON document: docs/schema/report.schema.json. */
#include "cli/account.h"
#include "cli/render.h"
#include "cli/report.h"

/* Takes what was written so far; containers that are open stay open. */
static void report_take(struct json *j, struct buf *out)
{
    buf_add(out, buf_span(&j->text));
    buf_finish(&j->text);
}

static void json_report_source(struct json *j, const struct report_source *source)
{
    const struct source_view *v = &source->view;
    json_object(j, NULL);
    json_string(j, "file", v->path);
    json_string(j, "role", v->role);
    json_string(j, "format", v->format);
    json_string(j, "sha256", v->sha256);
    json_bool(j, "unchanged", source->state == SOURCE_UNCHANGED);
    json_bool(j, "redacted", source->state == SOURCE_REDACTED);
    json_bool(j, "complete", v->complete);
    json_int(j, "bytes", v->bytes);
    json_int(j, "lines", v->lines);
    account_json(j, v);
    json_array(j, "diagnostics");
    for (size_t i = 0; i < source->diagnostic_count; i++) {
        json_object(j, NULL);
        json_int(j, "line", source->diagnostics[i].line);
        json_int(j, "offset", source->diagnostics[i].offset);
        json_int(j, "length", source->diagnostics[i].length);
        json_string(j, "what", source->diagnostics[i].what);
        json_end(j);
    }
    json_end(j);
    json_int(j, "diagnostic_count", v->diagnostic_count);
    json_end(j);
}

static void json_report_begin(struct report *r, struct buf *out)
{
    struct json j;
    json_init(&j, NULL, false);
    json_object(&j, NULL);
    render_head(&j, "report", r->policy);
    json_object(&j, "summary");
    json_int(&j, "denied", r->denied);
    json_int(&j, "asked", r->asked);
    json_object(&j, "findings");
    for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_INFO; severity--)
        json_int(&j, severity_word((enum severity)severity), r->findings[severity]);
    json_end(&j);
    json_int(&j, "evidence_refs", r->evidence_refs);
    json_int(&j, "evidence_recomputed", r->evidence_ok);
    json_int(&j, "evidence_failed", r->evidence_failed);
    json_bool(&j, "accounted", r->sources_whole);
    json_bool(&j, "unchanged", r->sources_same && !r->sources_redacted);
    json_end(&j);
    json_array(&j, "sources");
    for (size_t i = 0; i < r->source_count; i++)
        json_report_source(&j, &r->sources[i]);
    json_end(&j);
    json_array(&j, "cannot_show");
    for (size_t i = 0; i < r->limits.count; i++)
        json_word(&j, NULL, r->limits.lines[i]);
    json_end(&j);
    json_array(&j, "sessions");
    report_take(&j, out);
}

static void json_report_findings(struct json *j, const struct report_session *s)
{
    json_array(j, "findings");
    for (size_t i = 0; i < s->finding_count; i++) {
        const struct report_finding *f = &s->findings[i];
        json_object(j, NULL);
        json_string(j, "id", f->view.id);
        json_string(j, "code", f->view.code);
        json_word(j, "severity", severity_word(f->view.severity));
        json_int_or_null(j, "step", f->view.n, f->view.n > 0);
        json_string(j, "message", f->message);
        json_string(j, "accepted", f->view.suppressed);
        json_array(j, "places");
        for (size_t k = 0; k < f->place_count; k++) {
            const struct report_excerpt *p = &f->places[k];
            json_object(j, NULL);
            json_int_or_null(j, "step", p->n, p->n > 0);
            json_string(j, "pointer", p->pointer);
            json_string(j, "before", p->before);
            json_string(j, "text", p->text);
            json_string(j, "after", p->after);
            json_end(j);
        }
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void json_report_egress(struct json *j, const struct report_session *s)
{
    json_array(j, "egress");
    for (size_t i = 0; i < s->egress_count; i++) {
        const struct report_egress *e = &s->egress[i];
        json_object(j, NULL);
        json_int(j, "step", e->row.step.n);
        json_string(j, "audience", e->row.audience.len ? e->row.audience : (struct span){0});
        json_bool(j, "audience_assumed", e->row.audience_assumed);
        json_word(j, "verdict", verdict_word(e->row.verdict));
        json_word(j, "outcome",
                  e->row.step.outcome == OUTCOME_NONE ? NULL : outcome_word(e->row.step.outcome));
        json_string(j, "text", e->text);
        json_array(j, "origins");
        for (size_t k = 0; k < e->pieces; k++) {
            json_object(j, NULL);
            json_string(j, "pointer", e->piece[k].pointer);
            json_string(j, "text", e->piece[k].text);
            json_int(j, "step", e->piece[k].n);
            json_word(j, "source", e->piece[k].source);
            json_word(j, "how", e->piece[k].how);
            json_end(j);
        }
        json_end(j);
        json_int(j, "more_origins", (int64_t)e->more);
        json_bool(j, "capped", !e->looked || e->capped);
        json_end(j);
    }
    json_end(j);
}

static void json_report_evidence(struct json *j, const struct report_session *s)
{
    json_array(j, "evidence");
    for (size_t i = 0; i < s->evidence_count; i++) {
        const struct evidence_view *e = &s->evidence[i];
        json_object(j, NULL);
        json_int(j, "step", e->n);
        json_string(j, "type", e->type);
        json_string(j, "digest", e->digest);
        json_string(j, "status", e->verdict.len ? e->verdict : (struct span){0});
        json_string(j, "reason", e->reason.len ? e->reason : (struct span){0});
        json_string(j, "record", e->record);
        json_end(j);
    }
    json_end(j);
}

static void json_report_causes(struct json *j, const struct report_session *s)
{
    json_array(j, "causes");
    for (int a = 0; a < 2; a++)
        for (size_t i = 0; i < s->cause[a].why.cause_count; i++) {
            const struct cause *cause = &s->cause[a].why.causes[i];
            json_object(j, NULL);
            json_word(j, "context", s->cause[a].axis);
            json_int(j, "at", s->cause[a].n);
            json_int(j, "step", cause->n);
            json_double(j, "score", cause->score, 4);
            json_array(j, "reasons");
            for (size_t k = 0; k < cause->reason_count; k++)
                json_string(j, NULL, cause->reasons[k]);
            json_end(j);
            json_end(j);
        }
    json_end(j);
    json_bool(j, "causes_capped", s->cause[0].why.capped || s->cause[1].why.capped);
}

static void json_report_tools(struct json *j, const struct report_session *s)
{
    json_array(j, "changed_definitions");
    for (size_t i = 0; i < s->tool_count; i++) {
        json_object(j, NULL);
        json_string(j, "server", s->tools[i].server);
        json_string(j, "tool", s->tools[i].tool);
        json_array(j, "versions");
        for (size_t k = 0; k < s->tools[i].version_count; k++) {
            json_object(j, NULL);
            json_int(j, "step", s->tools[i].versions[k].n);
            json_string(j, "digest", s->tools[i].versions[k].digest);
            json_end(j);
        }
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void json_report_notes(struct json *j, const struct report_session *s)
{
    json_array(j, "notes");
    for (size_t i = 0; i < s->note_count; i++) {
        const struct note_view *n = &s->notes[i];
        json_object(j, NULL);
        json_int_or_null(j, "step", n->n, n->n > 0);
        json_string(j, "mark", n->mark ? (struct span){&n->mark, 1} : (struct span){0});
        json_string(j, "text", n->mark ? (struct span){0} : n->text);
        json_end(j);
    }
    json_end(j);
}

static void json_report_timeline(struct json *j, const struct report_session *s)
{
    json_array(j, "timeline");
    for (size_t i = 0; i < s->step_count; i++) {
        const struct report_step *step = &s->steps[i];
        const struct flow_row *row = &step->row;
        struct label_pool *pool = review_labels(s->review);
        json_object(j, NULL);
        json_int(j, "step", row->step.n);
        render_time(j, "time", row->step.time_ns, row->step.time_digits);
        json_word(j, "kind", step_kind_word(row->step.kind));
        json_string(j, "server", row->step.server.len ? row->step.server : (struct span){0});
        json_string(j, "tool", row->step.tool.len ? row->step.tool : (struct span){0});
        json_string(j, "text", step->text);
        if (row->has_label)
            render_label(j, "label", pool, row->label, label_origin_word(row->origin), row->rule);
        else
            json_null(j, "label");
        render_label(j, "context_after", pool, row->after, label_origin_word(step->context_origin),
                     step->context_rule);
        json_word(j, "verdict", verdict_word(row->verdict));
        json_word(j, "outcome",
                  row->step.outcome == OUTCOME_NONE ? NULL : outcome_word(row->step.outcome));
        json_string(j, "sentence", step->sentence.len ? step->sentence : (struct span){0});
        json_end(j);
    }
    json_end(j);
}

static void json_report_session(struct report *r, const struct report_session *s, struct buf *out)
{
    const struct review_summary *sum = &s->summary;
    struct json j;
    json_init(&j, NULL, false);
    json_object(&j, NULL);
    json_int(&j, "number", s->view.id);
    json_string(&j, "session", session_label(&s->view));
    json_string(&j, "name", s->view.name);
    json_string(&j, "host", s->view.host.len ? s->view.host : (struct span){0});
    json_string(&j, "servers", s->view.servers);
    render_time(&j, "begin", s->view.begin_ns, s->view.time_digits);
    render_time(&j, "end", s->view.end_ns, s->view.time_digits);
    json_int(&j, "steps", sum->steps);
    json_int_or_null(&j, "first_untrusted", sum->first_untrusted, sum->first_untrusted > 0);
    json_int_or_null(&j, "first_private", sum->first_private, sum->first_private > 0);
    json_int_or_null(&j, "first_denied", sum->first_denied, sum->first_denied > 0);
    json_int(&j, "denied", sum->denied);
    json_int(&j, "asked", sum->asked);
    json_int(&j, "unclaimed", sum->unclaimed);
    json_report_findings(&j, s);
    json_int(&j, "findings_left_out", (int64_t)s->findings_left_out);
    json_report_causes(&j, s);
    json_report_egress(&j, s);
    json_int(&j, "egress_left_out", (int64_t)s->egress_left_out);
    json_report_evidence(&j, s);
    json_report_tools(&j, s);
    json_report_notes(&j, s);
    json_report_timeline(&j, s);
    json_int(&j, "timeline_left_out", sum->steps - (int64_t)s->step_count);
    json_end(&j);
    buf_puts(out, r->written++ ? ",\n" : "\n");
    report_take(&j, out);
}

static void json_report_end(struct report *r, struct buf *out)
{
    (void)r;
    buf_puts(out, "\n]}\n");
}

const struct report_format report_json = {
    .name = "json",
    .endings = ".json",
    .begin = json_report_begin,
    .session = json_report_session,
    .end = json_report_end,
};
