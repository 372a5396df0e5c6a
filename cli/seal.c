#include "cli/seal.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/render.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "model/evidence/digest.h"

static void add_key(struct buf *out, const uint8_t public_key[PUBLIC_KEY_BYTES])
{
    hex_encode(out, (struct span){(const char *)public_key, PUBLIC_KEY_BYTES});
}

/* ---- what came of a seal ---- */

static void json_seal(struct json *j, const struct seal_report *report)
{
    struct buf key = {0};
    if (report->verdict == SEAL_NONE) {
        json_null(j, "seal");
        return;
    }
    add_key(&key, report->public_key);
    json_object(j, "seal");
    json_word(j, "status", seal_verdict_word(report->verdict));
    json_word(j, "reason", seal_verdict_text(report->verdict));
    json_string(j, "public_key", buf_span(&key));
    json_string(j, "sealed_at", report->sealed_at);
    json_string(j, "policy", report->policy);
    json_string(j, "policy_digest", report->policy_digest);
    json_int_or_null(j, "parts", (int64_t)report->parts, report->parts > 0);
    json_array(j, "differences");
    for (size_t i = 0; i < report->difference_count; i++) {
        json_object(j, NULL);
        json_string(j, "part", report->differences[i].part);
        json_string(j, "what", report->differences[i].what);
        json_end(j);
    }
    json_end(j);
    json_end(j);
    buf_finish(&key);
}

static void text_seal(const struct output *output, const struct seal_report *report)
{
    bool failed = seal_verdict_failed(report->verdict);
    if (report->verdict == SEAL_NONE || (output->quiet && !failed))
        return;
    enum tint tint = failed ? TINT_BAD : report->verdict == SEAL_VERIFIED ? TINT_GOOD : TINT_WARN;
    struct buf line = {0};
    buf_addf(&line, "seal      %s%s%s  %s", tint_begin(tint, output->colour),
             seal_verdict_word(report->verdict), tint_end(output->colour),
             seal_verdict_text(report->verdict));
    if (report->sealed_at.len) {
        buf_puts(&line, "\n          by key ");
        add_key(&line, report->public_key);
        buf_puts(&line, ", ");
        text_safe(&line, report->sealed_at);
        buf_puts(&line, " as it says");
        if (report->parts) /* compared: the seal is its key's */
            buf_addf(&line, ", over %zu parts", report->parts);
    }
    for (size_t i = 0; i < report->difference_count; i++) {
        buf_puts(&line, "\n          ");
        text_safe(&line, report->differences[i].part);
        buf_puts(&line, ": ");
        text_safe(&line, report->differences[i].what);
    }
    buf_byte(&line, '\n');
    fwrite(line.at, 1, line.len, stdout);
    buf_finish(&line);
}

bool seal_verify(struct case_file *c, const struct attest_key *key, const struct output *output,
                 struct json *json, enum seal_verdict *verdict, struct err *err)
{
    struct arena arena = {0};
    struct seal_report report;
    bool ok = seal_check(c, key, &arena, &report, interrupt_stop, NULL, err);
    if (ok) {
        *verdict = report.verdict;
        if (output->json)
            json_seal(json, &report);
        else
            text_seal(output, &report);
    }
    arena_finish(&arena);
    return ok;
}

/* ---- the verb ---- */

static struct signing_key *seal_read_key(const char *path, struct err *err)
{
    struct buf text = {0};
    struct signing_key *key = NULL;
    if (file_read(path, &text, err)) {
        key = signing_key_read(buf_span(&text), err);
        if (!key)
            err_at(err, path);
    }
    if (text.at && text.len)
        explicit_bzero(text.at, text.len);
    buf_finish(&text);
    return key;
}

static bool seal_answer(struct subject *s, struct invocation *call, const struct output *output,
                        struct err *err)
{
    const char *path = option_value(call, "key");
    if (!path)
        return err_set(err, ERR_USAGE, "seal", "'strandline keygen -o KEY' makes one",
                       "no key given; --key KEY names it");
    if (s->from_logs)
        return err_set(err, ERR_USAGE, "seal",
                       "import the logs first: strandline import -o CASE LOG",
                       "only a case can be sealed");
    struct signing_key *key = seal_read_key(path, err);
    bool ok = key && seal_make(s->c, key, s->policy, interrupt_stop, NULL, err);
    if (ok && (output->json || !output->quiet)) {
        uint8_t public_key[PUBLIC_KEY_BYTES];
        struct buf hex = {0};
        struct json j;
        signing_key_public(key, public_key);
        add_key(&hex, public_key);
        if (output->json) {
            render_begin(&j, "seal", s->policy);
            json_string(&j, "case", span_of(case_path(s->c)));
            json_string(&j, "public_key", buf_span(&hex));
            json_finish(&j);
        } else {
            printf("sealed by key %.*s\n", SPAN_ARG(buf_span(&hex)));
        }
        buf_finish(&hex);
    }
    signing_key_destroy(key);
    return ok;
}

static int seal_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE, seal_answer);
}

static const struct option_spec seal_options[] = {
    {"key", 'k', "KEY", "the private key, in PEM (required)"},
    {NULL, 0, NULL, NULL},
};

const struct verb verb_seal = {
    .name = "seal",
    .usage = "CASE --key KEY",
    .summary = "Sign a case, so that 'verify' tells whether it was changed since.",
    .help = "The seal is over every source, everything that was read of them, the notes, and the\n"
            "policy; it takes the place of one that the case has. A note or an import behind it\n"
            "breaks it: seal again then. It says nothing of what the recording left out.\n\n"
            "    strandline keygen -o mine.key\n"
            "    strandline seal incident.strand --key mine.key\n"
            "    strandline verify incident.strand --key mine.key.pub",
    .options = seal_options,
    .run = seal_run,
};
