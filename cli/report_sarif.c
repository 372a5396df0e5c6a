/*
 * The findings as SARIF 2.1.0 (OASIS), for code-scanning dashboards: one run,
 * every finding code a rule (§3.49), every source an artifact with its digest
 * (§3.24), every finding a result (§3.27) at the bytes of the step it is about.
 */
#include "base/ascii.h"
#include "cli/render.h"
#include "cli/report.h"

static const char *sarif_level(enum severity severity)
{
    return severity >= SEVERITY_HIGH ? "error" : severity == SEVERITY_MEDIUM ? "warning" : "note";
}

static void sarif_text(struct json *j, const char *key, struct span text)
{
    json_object(j, key);
    json_string(j, "text", text);
    json_end(j);
}

/* A path as a URI reference (RFC 3986): everything but the unreserved and '/' is percent-encoded.
 */
static void sarif_uri(struct json *j, struct span path)
{
    struct buf uri = {0};
    bool absolute = path.len && path.at[0] == '/';
    buf_puts(&uri, absolute ? "file://" : "");
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.at[i];
        bool plain = ascii_is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~' || c == '/';
        if (plain)
            buf_byte(&uri, path.at[i]);
        else
            buf_addf(&uri, "%%%02X", c);
    }
    json_string(j, "uri", buf_span(&uri));
    buf_finish(&uri);
}

static void sarif_rules(struct json *j)
{
    json_array(j, "rules");
    for (size_t i = 0; i < finding_code_count(); i++) {
        const struct finding_code *code = finding_code_at(i);
        json_object(j, NULL);
        json_word(j, "id", code->code);
        sarif_text(j, "shortDescription", span_of(code->title));
        sarif_text(j, "fullDescription", span_of(code->statement));
        struct span page = finding_page(code);
        if (page.len)
            sarif_text(j, "help", page);
        json_object(j, "defaultConfiguration");
        json_word(j, "level", sarif_level(code->severity));
        json_end(j);
        json_object(j, "properties");
        json_word(j, "severity", severity_word(code->severity));
        json_word(j, "source", code->source);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static int64_t sarif_rule_index(struct span code)
{
    for (size_t i = 0; i < finding_code_count(); i++)
        if (span_is(code, finding_code_at(i)->code))
            return (int64_t)i;
    return -1;
}

static int64_t sarif_artifact_of(const struct report *r, struct span path)
{
    for (size_t i = 0; i < r->source_count; i++)
        if (span_equal(r->sources[i].view.path, path))
            return (int64_t)i;
    return -1;
}

static void sarif_artifacts(struct json *j, const struct report *r)
{
    json_array(j, "artifacts");
    for (size_t i = 0; i < r->source_count; i++) {
        const struct source_view *v = &r->sources[i].view;
        json_object(j, NULL);
        json_object(j, "location");
        sarif_uri(j, v->path);
        json_end(j);
        json_int(j, "length", v->bytes);
        if (v->sha256.at) {
            json_object(j, "hashes");
            json_string(j, "sha-256", v->sha256);
            json_end(j);
        }
        json_end(j);
    }
    json_end(j);
}

static void sarif_begin(struct report *r, struct buf *out)
{
    struct json j;
    json_init(&j, NULL, false);
    json_object(&j, NULL);
    json_word(&j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_word(&j, "version", "2.1.0");
    json_array(&j, "runs");
    json_object(&j, NULL);
    json_object(&j, "tool");
    json_object(&j, "driver");
    json_word(&j, "name", "strandline");
    json_word(&j, "version", STRANDLINE_VERSION);
    sarif_rules(&j);
    json_end(&j);
    json_end(&j);
    sarif_artifacts(&j, r);
    json_array(&j, "results");
    buf_add(out, buf_span(&j.text));
    buf_finish(&j.text);
}

/* Where a step stands: bytes of a source, and the step as a logical place. */
static void sarif_location(struct json *j, const struct report *r, const struct report_session *s,
                           int64_t n, struct span text)
{
    struct arena arena = {0};
    struct flow_row row = {0};
    struct err err = {0};
    struct buf name = {0};
    bool found = n && review_rows(s->review, n, 1, 0, &arena, &row, &err) == 1;
    json_object(j, NULL);
    if (found) {
        int64_t artifact = sarif_artifact_of(r, row.file);
        json_object(j, "physicalLocation");
        json_object(j, "artifactLocation");
        sarif_uri(j, row.file);
        if (artifact >= 0)
            json_int(j, "index", artifact);
        json_end(j);
        json_object(j, "region");
        if (row.step.line)
            json_int(j, "startLine", (int64_t)row.step.line);
        json_int(j, "byteOffset", (int64_t)row.step.whole.offset);
        json_int(j, "byteLength", (int64_t)row.step.whole.length);
        if (text.len)
            sarif_text(j, "snippet", text);
        json_end(j);
        json_end(j);
    }
    buf_add(&name, session_label(&s->view));
    if (n)
        buf_addf(&name, ":%lld", (long long)n);
    json_array(j, "logicalLocations");
    json_object(j, NULL);
    json_string(j, "fullyQualifiedName", buf_span(&name));
    json_end(j);
    json_end(j);
    json_end(j);
    buf_finish(&name);
    arena_finish(&arena);
}

static void sarif_result(struct json *j, const struct report *r, const struct report_session *s,
                         const struct report_finding *f)
{
    int64_t rule = sarif_rule_index(f->view.code);
    json_object(j, NULL);
    json_string(j, "ruleId", f->view.code);
    if (rule >= 0)
        json_int(j, "ruleIndex", rule);
    json_word(j, "level", sarif_level(f->view.severity));
    sarif_text(j, "message", f->message);
    json_array(j, "locations");
    sarif_location(j, r, s, f->view.n, SPAN_EMPTY);
    json_end(j);
    json_array(j, "relatedLocations");
    for (size_t i = 0; i < f->place_count; i++)
        if (f->places[i].n != f->view.n || f->places[i].text.len)
            sarif_location(j, r, s, f->places[i].n, f->places[i].text);
    json_end(j);
    json_object(j, "partialFingerprints");
    json_string(j, "strandline/v1", f->view.id);
    json_end(j);
    if (f->view.suppressed.at) {
        json_array(j, "suppressions");
        json_object(j, NULL);
        json_word(j, "kind", "external");
        json_string(j, "justification", f->view.suppressed);
        json_end(j);
        json_end(j);
    }
    json_object(j, "properties");
    json_word(j, "severity", severity_word(f->view.severity));
    json_string(j, "session", session_label(&s->view));
    json_int_or_null(j, "step", f->view.n, f->view.n > 0);
    json_end(j);
    json_end(j);
}

static void sarif_session(struct report *r, const struct report_session *s, struct buf *out)
{
    r->left_out += s->findings_left_out;
    for (size_t i = 0; i < s->finding_count; i++) {
        struct json j;
        json_init(&j, NULL, false);
        sarif_result(&j, r, s, &s->findings[i]);
        buf_puts(out, r->written++ ? ",\n" : "\n");
        buf_add(out, buf_span(&j.text));
        buf_finish(&j.text);
    }
}

static void sarif_end(struct report *r, struct buf *out)
{
    struct json j;
    json_init(&j, NULL, false);
    json_object(&j, NULL);
    json_word(&j, "policy", policy_name(r->policy));
    json_word(&j, "policyDigest", policy_digest(r->policy));
    const char *catalogue = policy_catalogue_digest(r->policy);
    json_word(&j, "catalogueDigest", *catalogue ? catalogue : NULL);
    json_int(&j, "findingsLeftOut", (int64_t)r->left_out);
    json_end(&j);
    buf_puts(out, "\n],\"properties\":");
    buf_add(out, buf_span(&j.text));
    buf_puts(out, "}]}\n");
    buf_finish(&j.text);
}

const struct report_format report_sarif = {
    .name = "sarif",
    .endings = ".sarif .sarif.json",
    .begin = sarif_begin,
    .session = sarif_session,
    .end = sarif_end,
};
