#include "cli/verbs.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/render.h"
#include "cli/seal.h"
#include "cli/table.h"
#include "ingest/records.h"
#include "model/case/source.h"
#include "model/evidence/attest.h"
#include "model/evidence/diagnose.h"
#include "model/query/account.h"
#include "model/query/evidence.h"
#include "model/query/kept.h"

/* Why a reference doesn't match, kept for --json. */
struct kept_diagnosis {
    int64_t ref;
    const char *crossed; /* the canonicalization that it matches under; else NULL */
    struct diagnosing diagnosing;
};

/* What was verified so far, over all sources and sessions. */
struct verifying {
    struct subject *subject;
    struct invocation *call;
    struct output output;
    struct json json;
    struct records *records; /* all that are held, once the references were verified */
    struct attest_key *key;  /* of --key, else NULL */
    size_t counts[EVIDENCE_VERDICT_COUNT];
    size_t references;
    size_t without_message;           /* sources: read as logs, and no message was in them */
    struct kept_diagnosis *diagnoses; /* by reference */
    size_t diagnosis_count, diagnosis_size;
    bool vouched; /* something that is signed was verified with the key */
    bool failed;
};

static bool verify_source(struct verifying *v, const struct source_view *source, struct err *err)
{
    enum source_state state = SOURCE_CHANGED;
    if (source->sha256.at && !source_verify(v->subject->c, source->id, &state, err))
        return false;
    const char *status = source->sha256.at ? source_state_word(state) : "incomplete";
    v->without_message += source->format.at && source->event == 0 && source->noise > 0;
    bool changed = source->sha256.at && state == SOURCE_CHANGED;
    enum tint tint = changed ? TINT_BAD : state == SOURCE_UNCHANGED ? TINT_GOOD : TINT_WARN;
    v->failed = v->failed || changed;
    if (v->output.json) {
        json_object(&v->json, NULL);
        json_string(&v->json, "file", source->path);
        json_string(&v->json, "sha256", source->sha256);
        json_word(&v->json, "status", status);
        json_end(&v->json);
    } else if (changed || !v->output.quiet) {
        struct buf path = {0};
        text_safe(&path, source->path);
        printf("source    %s%-10s%s  %.*s\n", tint_begin(tint, v->output.colour), status,
               tint_end(v->output.colour), SPAN_ARG(buf_span(&path)));
        buf_finish(&path);
    }
    return true;
}

static bool verify_sources(struct verifying *v, struct err *err)
{
    struct source_view *sources;
    size_t count;
    if (!query_sources(v->subject->c, &v->call->arena, &sources, &count, err))
        return false;
    if (v->output.json)
        json_array(&v->json, "sources");
    for (size_t i = 0; i < count && !interrupt_came(); i++)
        if (!verify_source(v, &sources[i], err))
            return false;
    if (v->output.json)
        json_end(&v->json);
    return true;
}

/* ---- what is kept of replays ---- */

static void tell_run(struct verifying *v, const struct kept_run *run)
{
    v->failed = v->failed || !run->same;
    if (v->output.json) {
        json_object(&v->json, NULL);
        json_string(&v->json, "session", run->session);
        json_string(&v->json, "policy", run->policy);
        json_word(&v->json, "status", run->same ? "unchanged" : "changed");
        json_end(&v->json);
    } else if (!run->same) {
        struct buf name = {0};
        text_safe(&name, run->session);
        printf("replay    %schanged%s     %.*s under %.*s\n"
               "          the case kept something else than comes of its steps; it was made anew\n",
               tint_begin(TINT_BAD, v->output.colour), tint_end(v->output.colour),
               SPAN_ARG(buf_span(&name)), SPAN_ARG(run->policy));
        buf_finish(&name);
    }
}

/* Verdicts and findings are shown as they were kept: are they what the steps give? All that is
 * derived is dropped and made anew, under the records that the case holds. */
static bool verify_kept(struct verifying *v, struct err *err)
{
    struct case_file *c = v->subject->c;
    struct progress progress;
    size_t count = 0;
    struct kept_replays *kept = kept_collect(c, v->subject->policy, err);
    progress_begin(&progress, v->call);
    bool ok = kept && case_resolve_evidence(c, NULL, NULL, NULL, err) &&
              kept_again(kept, progress_replay, &progress, err);
    progress_end(&progress);
    const struct kept_run *runs = ok ? kept_runs(kept, &count) : NULL;
    if (ok && v->output.json)
        json_array(&v->json, "runs");
    for (size_t i = 0; i < count; i++)
        tell_run(v, &runs[i]);
    if (ok && v->output.json)
        json_end(&v->json);
    kept_destroy(kept);
    return ok;
}

static enum tint verdict_tint(enum evidence_verdict verdict)
{
    if (verdict == EVIDENCE_RECOMPUTED)
        return TINT_GOOD;
    return evidence_verdict_failed(verdict) ? TINT_BAD : TINT_WARN;
}

static void keep_diagnosis(void *arg, int64_t ref, const struct evidence_result *result,
                           const struct diagnosing *diagnosing)
{
    struct verifying *v = arg;
    bool crossed = result->verdict == EVIDENCE_CANONICALIZATION_MISMATCH;
    if (!crossed && !diagnosing)
        return;
    v->diagnoses =
        mem_one_more(v->diagnoses, v->diagnosis_count, &v->diagnosis_size, sizeof *v->diagnoses);
    struct kept_diagnosis *kept = &v->diagnoses[v->diagnosis_count++];
    *kept = (struct kept_diagnosis){
        .ref = ref, .crossed = crossed ? canonicalization_name(result->matched) : NULL};
    if (diagnosing)
        kept->diagnosing = *diagnosing;
}

static int by_reference(const void *left, const void *right)
{
    const struct kept_diagnosis *a = left, *b = right;
    return (a->ref > b->ref) - (a->ref < b->ref);
}

/* Why the digest doesn't match and what the producer should do: the ends of the reason, as fields.
 */
static void json_diagnosis(struct verifying *v, int64_t ref)
{
    const struct kept_diagnosis wanted = {.ref = ref}, *kept = NULL;
    if (v->diagnosis_count)
        kept = bsearch(&wanted, v->diagnoses, v->diagnosis_count, sizeof wanted, by_reference);
    if (!kept) {
        json_null(&v->json, "diagnosis");
        return;
    }
    struct buf cause = {0}, advice = {0};
    if (kept->crossed) {
        buf_addf(&cause, "matches under %s", kept->crossed);
        buf_puts(&advice, DIAGNOSIS_CANON_ADVICE);
    } else if (kept->diagnosing.found) {
        diagnosis_cause(&cause, &kept->diagnosing.diagnosis);
        diagnosis_advice(&advice, &kept->diagnosing.diagnosis);
    }
    json_object(&v->json, "diagnosis");
    json_string(&v->json, "cause", cause.len ? buf_span(&cause) : (struct span){NULL, 0});
    json_string(&v->json, "advice", advice.len ? buf_span(&advice) : (struct span){NULL, 0});
    json_int(&v->json, "digests_tried", kept->diagnosing.tried);
    json_bool(&v->json, "complete", !kept->diagnosing.out_of_time);
    json_end(&v->json);
    buf_finish(&cause);
    buf_finish(&advice);
}

static void json_reference(struct verifying *v, struct span session, const struct evidence_view *e)
{
    struct json *j = &v->json;
    json_object(j, NULL);
    json_string(j, "session", session);
    json_int(j, "step", e->n);
    json_int_or_null(j, "block", e->block, e->block >= 0);
    json_string(j, "type", e->type);
    json_string(j, "digest", e->digest);
    json_string(j, "canonicalization", e->canonicalization);
    json_string(j, "schema", e->schema);
    json_string(j, "ref", e->ref);
    json_string(j, "status", e->verdict);
    json_string(j, "reason", e->reason);
    json_diagnosis(v, e->id);
    json_string(j, "record", e->record);
    json_end(j);
}

static void text_reference(struct verifying *v, const struct evidence_view *e,
                           enum evidence_verdict verdict)
{
    struct buf line = {0};
    buf_addf(&line, "step %-4lld %s%s%s  ", (long long)e->n,
             tint_begin(verdict_tint(verdict), v->output.colour), evidence_verdict_word(verdict),
             tint_end(v->output.colour));
    text_safe(&line, e->type.at ? e->type : SPAN("(no type)"));
    buf_puts(&line, "  ");
    text_safe(&line, e->digest.at ? e->digest : SPAN("(no digest)"));
    if (e->record.at) {
        buf_puts(&line, "  record ");
        text_safe(&line, e->record);
    } else if (e->ref.at) {
        buf_puts(&line, "  ref ");
        text_safe(&line, e->ref);
    }
    if (verdict != EVIDENCE_RECOMPUTED || v->output.verbose) {
        buf_puts(&line, "\n          ");
        text_safe(&line, e->reason.len ? e->reason : span_of(evidence_verdict_text(verdict)));
    }
    buf_byte(&line, '\n');
    fwrite(line.at, 1, line.len, stdout);
    buf_finish(&line);
}

static bool verify_session(struct verifying *v, const struct session_view *session, struct err *err)
{
    struct review *review = subject_review(v->subject, v->call, session->id, 0, err);
    if (!review)
        return false;
    struct arena arena = {0};
    struct evidence_view *evidence;
    size_t count;
    bool ok = review_evidence(review, 0, &arena, &evidence, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        enum evidence_verdict verdict = EVIDENCE_VERDICT_COUNT;
        if (!evidence_verdict_find(evidence[i].verdict, &verdict)) {
            ok = err_set(err, ERR_INTERNAL, case_path(v->subject->c), NULL,
                         "a reference of step %lld was not verified", (long long)evidence[i].n);
            break;
        }
        v->references++;
        v->counts[verdict]++;
        v->failed = v->failed || evidence_verdict_failed(verdict);
        if (v->output.json)
            json_reference(v, session_label(session), &evidence[i]);
        else if (!v->output.quiet || evidence_verdict_failed(verdict))
            text_reference(v, &evidence[i], verdict);
    }
    arena_finish(&arena);
    review_close(review);
    return ok;
}

static void say_counts(struct verifying *v)
{
    if (v->output.json) {
        json_object(&v->json, "counts");
        for (int i = 0; i < EVIDENCE_VERDICT_COUNT; i++)
            if (v->counts[i])
                json_int(&v->json, evidence_verdict_word((enum evidence_verdict)i),
                         (int64_t)v->counts[i]);
        json_end(&v->json);
        return;
    }
    if (v->output.quiet)
        return;
    printf("%zu evidence %s", v->references, v->references == 1 ? "reference" : "references");
    const char *before = ": ";
    for (int i = 0; i < EVIDENCE_VERDICT_COUNT; i++)
        if (v->counts[i]) {
            printf("%s%zu %s", before, v->counts[i],
                   evidence_verdict_word((enum evidence_verdict)i));
            before = ", ";
        }
    putchar('\n');
    size_t missing =
        v->counts[EVIDENCE_UNRESOLVED_REF] + v->counts[EVIDENCE_UNRESOLVABLE_DIGEST_ONLY];
    if (missing && v->without_message && !option_given(v->call, "evidence"))
        printf("%zu %s no message; where they are records, name them with --evidence PATH\n",
               v->without_message, v->without_message == 1 ? "source holds" : "sources hold");
}

static bool load_schemas(struct verifying *v, struct schemas *schemas, struct err *err)
{
    const char *path = option_value(v->call, "schemas");
    struct buf text = {0};
    bool ok = !path || (file_read(path, &text, err) &&
                        (schemas_read(schemas, buf_span(&text), err) || err_at(err, path)));
    buf_finish(&text);
    return ok;
}

/* Every reference anew: with the case's records, and those named on the command line. */
static bool resolve(struct verifying *v, struct err *err)
{
    size_t count;
    const char *const *paths = option_values(v->call, "evidence", &count);
    struct schemas *schemas = schemas_create();
    const struct evidence_options verify_options = {.schemas = schemas,
                                                    .ref_decides = option_given(v->call, "by-ref")};
    const struct evidence_listener listener = {v, keep_diagnosis};
    bool ok = (v->subject->from_logs || records_load(v->records, paths, count, err)) &&
              load_schemas(v, schemas, err) &&
              case_resolve_evidence(v->subject->c, v->records, &verify_options, &listener, err);
    schemas_destroy(schemas);
    return ok;
}

static const char *const parent_words[] = {
    [ATTEST_NO_PARENT] = NULL,
    [ATTEST_PARENT_HELD] = "held",
    [ATTEST_PARENT_MISSING] = "missing",
};

static struct span name_of(const struct verifying *v, const struct attested *item)
{
    const struct held_record *record = records_at(v->records, item->record);
    return record->name.len ? record->name : record->origin;
}

static void json_signed(struct verifying *v, const struct attested *item)
{
    const struct attestation *a = &item->attestation;
    struct json *j = &v->json;
    json_object(j, NULL);
    json_string(j, "record", name_of(v, item));
    json_word(j, "kind", attest_kind_name(a->kind));
    json_word(j, "algorithm", attest_algorithm_name(a->algorithm));
    json_string(j, "key_id", a->key_id.len ? a->key_id : (struct span){NULL, 0});
    json_word(j, "status", attest_verdict_word(item->verdict));
    json_word(j, "parent", parent_words[item->parent]);
    json_end(j);
}

static void text_signed(struct verifying *v, const struct attested *item)
{
    const struct attestation *a = &item->attestation;
    struct buf line = {0};
    enum tint tint = item->verdict == ATTEST_VERIFIED        ? TINT_GOOD
                     : item->verdict == ATTEST_BAD_SIGNATURE ? TINT_BAD
                                                             : TINT_WARN;
    buf_addf(&line, "signed    %s%s%s  ", tint_begin(tint, v->output.colour),
             attest_verdict_word(item->verdict), tint_end(v->output.colour));
    text_safe(&line, name_of(v, item));
    buf_addf(&line, "  %s, %s", attest_kind_name(a->kind), attest_algorithm_name(a->algorithm));
    if (a->key_id.len) {
        buf_puts(&line, ", key ");
        text_safe(&line, a->key_id);
    }
    if (item->parent != ATTEST_NO_PARENT)
        buf_addf(&line, "; the one before it is %s", parent_words[item->parent]);
    if (item->verdict != ATTEST_VERIFIED || v->output.verbose)
        buf_addf(&line, "\n          %s", attest_verdict_text(item->verdict));
    printf("%.*s\n", SPAN_ARG(buf_span(&line)));
    buf_finish(&line);
}

/* What is signed among the records: verified where a key is given, else only named. */
static void verify_signed(struct verifying *v)
{
    struct attested *list;
    size_t count = attest_survey(v->records, v->key, &v->call->arena, &list);
    bool chained = false;
    if (v->output.json)
        json_array(&v->json, "signed");
    for (size_t i = 0; i < count; i++) {
        bool bad = list[i].verdict == ATTEST_BAD_SIGNATURE;
        v->failed = v->failed || bad;
        v->vouched = v->vouched || list[i].verdict == ATTEST_VERIFIED;
        chained = chained || list[i].parent != ATTEST_NO_PARENT;
        if (v->output.json)
            json_signed(v, &list[i]);
        else if (!v->output.quiet || bad)
            text_signed(v, &list[i]);
    }
    if (v->output.json)
        json_end(&v->json);
    else if (chained && !v->output.quiet)
        printf("          %s\n", attest_open_end());
}

static bool read_key(struct verifying *v, struct err *err)
{
    const char *path = option_value(v->call, "key");
    struct buf text = {0};
    bool ok = !path || file_read(path, &text, err);
    if (ok && path) {
        v->key = attest_key_read(buf_span(&text), err);
        ok = v->key || err_at(err, path);
    }
    buf_finish(&text);
    return ok;
}

/* Records named on the command line count this once: what the case says rests on its own. */
static bool forget_extra(struct verifying *v, struct err *err)
{
    return v->subject->from_logs ||
           !(option_given(v->call, "evidence") || option_given(v->call, "schemas") ||
             option_given(v->call, "by-ref")) ||
           case_resolve_evidence(v->subject->c, NULL, NULL, NULL, err);
}

static bool verify_all(struct verifying *v, struct err *err)
{
    struct session_view *sessions;
    size_t count;
    json_init(&v->json, stdout, true);
    if (v->output.json) {
        json_object(&v->json, NULL);
        render_head(&v->json, "verify", NULL);
    }
    enum seal_verdict seal = SEAL_NONE;
    bool ok =
        verify_sources(v, err) &&
        seal_verify(v->subject->c, v->key, &v->output, &v->json, &seal, err) &&
        verify_kept(v, err) && resolve(v, err) &&
        query_sessions(v->subject->c, v->subject->policy, &v->call->arena, &sessions, &count, err);
    v->failed = v->failed || seal_verdict_failed(seal);
    if (ok && v->output.json)
        json_array(&v->json, "evidence");
    for (size_t i = 0; ok && i < count && !interrupt_came(); i++)
        ok = verify_session(v, &sessions[i], err);
    ok = ok && forget_extra(v, err);
    if (ok && v->output.json)
        json_end(&v->json);
    if (ok) {
        verify_signed(v);
        say_counts(v);
    }
    if (ok && v->output.json) {
        json_finish(&v->json);
    } else {
        json_close(&v->json);
    }
    if (ok && count == 0 && v->subject->from_logs) /* says so, behind what there is to say */
        ok = subject_sessions(v->subject, v->call, true, &sessions, &count, err);
    else if (ok && v->key && seal == SEAL_NONE && !v->vouched && !v->failed)
        ok = err_set(err, ERR_EVIDENCE, v->call->operands[0], "was a seal taken away?",
                     "it has no seal, and nothing in it is signed by the key given");
    return ok;
}

static int verify_run(struct invocation *call)
{
    struct subject subject = {0};
    struct verifying v = {.subject = &subject, .call = call, .records = records_create()};
    struct err err = {0};
    int status;
    if (output_options(call, &v.output, &err) && read_key(&v, &err) &&
        subject_open(&subject, call, SUBJECT_CASE, &err) && verify_all(&v, &err))
        status = worse_status(v.failed ? ERR_EVIDENCE : 0, (int)subject.import_err.kind);
    else
        status = worse_status(verb_failed(&err), (int)subject.import_err.kind);
    subject_close(&subject);
    attest_key_destroy(v.key);
    mem_free(v.diagnoses);
    records_destroy(v.records);
    return status;
}

static const struct option_spec verify_options[] = {
    {"evidence", 'e', "PATH", "records: a file, a folder, JSONL, .cbor (repeatable)"},
    {"schemas", 0, "FILE",
     "members that records must have: {\"NAME\": {\"required_fields\": [...]}}"},
    {"by-ref", 0, NULL, "a ref that names no record is unresolved, whatever digests are held"},
    {"key", 'k', "FILE", "public key (PEM, or Ed25519 in hex or base64) for what is signed"},
    {NULL, 0, NULL, NULL},
};

const struct verb verb_verify = {
    .name = "verify",
    .usage = "CASE|LOG... [--evidence PATH]... [--key FILE]",
    .summary = "Re-derives the hash of every source, then the digest of every evidence reference.",
    .help =
        "What the case keeps of replays is made anew and compared; its steps are taken as they\n"
        "are: that they are what the sources say, a seal shows, or importing the sources anew.\n"
        "Only 'recomputed' says that a record held here hashes to the digest of the reference.\n"
        "Exit status 3 where a source, a replay or a reference fails; what is merely not held is no\n"
        "failure. Signed records (receipts, attestations of tool calls, COSE_Sign1) are named, and\n"
        "verified under --key.",
    .options = verify_options,
    .run = verify_run,
};
