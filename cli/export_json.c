/* The forms that are lines of JSON. */
#include "cli/export.h"

enum { NS_PER_MS = 1000000 };

static struct span null_if_empty(struct span text)
{
    return text.len ? text : (struct span){NULL, 0};
}

/* ---- jsonl: our own objects ---- */

static bool jsonl_step(struct exporting *x, const struct flow_row *row, struct err *err)
{
    json_object(&x->json, NULL);
    render_head(&x->json, "steps", review_policy(x->review));
    bool ok = render_step(&x->json, x->review, x->session, row, err);
    json_end(&x->json);
    json_line(&x->json);
    return ok;
}

static bool jsonl_finding(struct exporting *x, const struct finding_view *f,
                          const struct flow_row *row, struct err *err)
{
    (void)row, (void)err;
    json_object(&x->json, NULL);
    render_head(&x->json, "finding", review_policy(x->review));
    json_object(&x->json, "finding");
    render_finding(&x->json, x->session, f);
    json_end(&x->json);
    json_end(&x->json);
    json_line(&x->json);
    return true;
}

const struct export_form export_jsonl = {
    .name = "jsonl", .step = jsonl_step, .finding = jsonl_finding};

/* ---- timesketch: message, datetime and timestamp_desc are what it asks for ---- */

static void timesketch_head(struct exporting *x, struct span message, const struct flow_row *row,
                            const char *what)
{
    struct json *j = &x->json;
    json_object(j, NULL);
    json_string(j, "message", message);
    render_time(j, "datetime", row->step.time_ns, row->step.time_digits);
    json_word(j, "timestamp_desc", what);
    json_string(j, "session", x->session);
    json_int(j, "step", row->step.n);
    json_word(j, "kind", step_kind_word(row->step.kind));
    json_string(j, "server", null_if_empty(row->step.server));
    json_string(j, "tool", null_if_empty(row->step.tool));
}

static bool timesketch_step(struct exporting *x, const struct flow_row *row, struct err *err)
{
    struct buf title = {0}, label = {0};
    (void)err;
    export_step_title(&title, row);
    label_text(&label, review_labels(x->review), row->after);
    timesketch_head(x, buf_span(&title), row, "recorded");
    json_string(&x->json, "context", buf_span(&label));
    json_word(&x->json, "verdict", row->verdict ? verdict_word(row->verdict) : NULL);
    json_end(&x->json);
    json_line(&x->json);
    buf_finish(&title);
    buf_finish(&label);
    return true;
}

static bool timesketch_finding(struct exporting *x, const struct finding_view *f,
                               const struct flow_row *row, struct err *err)
{
    (void)err;
    timesketch_head(x, f->message, row, "finding");
    json_string(&x->json, "code", f->code);
    json_word(&x->json, "severity", severity_word(f->severity));
    json_string(&x->json, "finding_id", f->id);
    json_end(&x->json);
    json_line(&x->json);
    return true;
}

const struct export_form export_timesketch = {.name = "timesketch",
                                              .needs_time = true,
                                              .step = timesketch_step,
                                              .finding = timesketch_finding};

/* ---- ocsf: Detection Finding, schema 1.3.0 ---- */

static bool ocsf_finding(struct exporting *x, const struct finding_view *f,
                         const struct flow_row *row, struct err *err)
{
    struct json *j = &x->json;
    (void)err;
    json_object(j, NULL);
    json_int(j, "activity_id", 1); /* Create */
    json_int(j, "category_uid", 2);
    json_int(j, "class_uid", 2004);
    json_int(j, "type_uid", 200401);
    json_int(j, "severity_id", (int)f->severity + 1);   /* Informational 1 … Critical 5 */
    json_int(j, "status_id", f->suppressed.at ? 3 : 1); /* Suppressed, New */
    json_int(j, "time", row->step.time_ns / NS_PER_MS);
    json_string(j, "message", f->message);
    json_object(j, "metadata");
    json_word(j, "version", "1.3.0");
    json_object(j, "product");
    json_word(j, "name", "strandline");
    json_word(j, "vendor_name", "strandline");
    json_word(j, "version", STRANDLINE_VERSION);
    json_end(j);
    json_end(j);
    json_object(j, "finding_info");
    json_string(j, "uid", f->id);
    json_string(j, "title", f->message);
    json_array(j, "types");
    json_string(j, NULL, f->code);
    json_end(j);
    json_end(j);
    json_object(j, "unmapped");
    json_string(j, "session", x->session);
    json_int(j, "step", row->step.n);
    json_string(j, "server", null_if_empty(row->step.server));
    json_string(j, "tool", null_if_empty(row->step.tool));
    json_end(j);
    json_end(j);
    json_line(j);
    return true;
}

const struct export_form export_ocsf = {
    .name = "ocsf", .needs_time = true, .finding = ocsf_finding};
