/* Calls as spans: OTLP/JSON, a resource a session, with the names of the semantic conventions for
 * MCP and generative AI. */
#include "cli/export.h"

#include "model/evidence/digest.h"

static bool otlp_begin(struct exporting *x, struct err *err)
{
    (void)err;
    json_object(&x->json, NULL);
    json_array(&x->json, "resourceSpans");
    return true;
}

static bool otlp_end(struct exporting *x, struct err *err)
{
    (void)err;
    json_end(&x->json);
    json_end(&x->json);
    json_line(&x->json);
    return true;
}

static void otlp_text(struct json *j, const char *key, struct span value)
{
    if (!value.len)
        return;
    json_object(j, NULL);
    json_word(j, "key", key);
    json_object(j, "value");
    json_string(j, "stringValue", value);
    json_end(j);
    json_end(j);
}

/* 64-bit numbers are strings in OTLP/JSON. */
static void otlp_number(struct json *j, const char *key, int64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    json_word(j, key, digits);
}

static bool otlp_begin_session(struct exporting *x, struct err *err)
{
    struct json *j = &x->json;
    (void)err;
    json_object(j, NULL);
    json_object(j, "resource");
    json_array(j, "attributes");
    otlp_text(j, "service.name", SPAN("strandline"));
    otlp_text(j, "strandline.session", x->session);
    json_end(j);
    json_end(j);
    json_array(j, "scopeSpans");
    json_object(j, NULL);
    json_object(j, "scope");
    json_word(j, "name", "strandline");
    json_word(j, "version", STRANDLINE_VERSION);
    json_end(j);
    json_array(j, "spans");
    return true;
}

static bool otlp_end_session(struct exporting *x, struct err *err)
{
    (void)err;
    for (int i = 0; i < 4; i++) /* spans, the scope's, scopeSpans, the resource's */
        json_end(&x->json);
    return true;
}

/* Ids of the same session and step are the same on every machine. */
static bool otlp_ids(struct exporting *x, int64_t n, struct buf *trace, struct buf *span,
                     struct err *err)
{
    struct hasher *hasher = hasher_create();
    struct buf text = {0};
    struct digest digest;
    bool ok = hasher_digest(hasher, DIGEST_SHA256, x->session, &digest, err);
    if (ok)
        hex_encode(trace, (struct span){(const char *)digest.bytes, 16});
    buf_add(&text, x->session);
    buf_addf(&text, "\n%lld", (long long)n);
    ok = ok && hasher_digest(hasher, DIGEST_SHA256, buf_span(&text), &digest, err);
    if (ok)
        hex_encode(span, (struct span){(const char *)digest.bytes, 8});
    buf_finish(&text);
    hasher_destroy(hasher);
    return ok;
}

/* When the result came; the call's own time where none is recorded. */
static bool otlp_end_time(struct exporting *x, const struct flow_row *row, int64_t *ns,
                          struct err *err)
{
    struct flow_row result;
    *ns = row->step.time_ns;
    if (!row->step.result_n)
        return true;
    long got = review_rows(x->review, row->step.result_n, 1, 0, x->arena, &result, err);
    if (got == 1 && result.step.time_digits >= 0 && result.step.time_ns > *ns)
        *ns = result.step.time_ns;
    return got >= 0;
}

static bool otlp_step(struct exporting *x, const struct flow_row *row, struct err *err)
{
    enum { SPAN_KIND_CLIENT = 3, STATUS_ERROR = 2 };
    struct json *j = &x->json;
    struct buf trace = {0}, span = {0}, name = {0}, context = {0};
    int64_t end;
    if (row->step.kind != STEP_TOOL_CALL)
        return true;
    if (row->step.time_digits < 0) {
        x->without_time++;
        return true;
    }
    bool ok = otlp_ids(x, row->step.n, &trace, &span, err) && otlp_end_time(x, row, &end, err);
    if (ok) {
        buf_puts(&name, "tools/call ");
        buf_add(&name, row->step.tool);
        label_text(&context, review_labels(x->review), row->before);
        json_object(j, NULL);
        json_string(j, "traceId", buf_span(&trace));
        json_string(j, "spanId", buf_span(&span));
        json_string(j, "name", buf_span(&name));
        json_int(j, "kind", SPAN_KIND_CLIENT);
        otlp_number(j, "startTimeUnixNano", row->step.time_ns);
        otlp_number(j, "endTimeUnixNano", end);
        json_array(j, "attributes");
        otlp_text(j, "mcp.method.name", SPAN("tools/call"));
        otlp_text(j, "gen_ai.tool.name", row->step.tool);
        otlp_text(j, "strandline.server", row->step.server);
        otlp_text(j, "strandline.context", buf_span(&context));
        otlp_text(j, "strandline.verdict",
                  row->verdict ? span_of(verdict_word(row->verdict)) : SPAN_EMPTY);
        otlp_text(j, "strandline.outcome", span_of(outcome_word(row->step.outcome)));
        json_end(j);
        if (row->step.outcome == OUTCOME_FAILED || row->step.outcome == OUTCOME_REFUSED) {
            json_object(j, "status");
            json_int(j, "code", STATUS_ERROR);
            json_end(j);
        }
        json_end(j);
    }
    buf_finish(&trace);
    buf_finish(&span);
    buf_finish(&name);
    buf_finish(&context);
    return ok;
}

const struct export_form export_otlp = {.name = "otlp",
                                        .begin = otlp_begin,
                                        .begin_session = otlp_begin_session,
                                        .step = otlp_step,
                                        .end_session = otlp_end_session,
                                        .end = otlp_end};
