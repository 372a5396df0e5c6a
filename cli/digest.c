#include "cli/verbs.h"

#include <stdio.h>

#include "base/ascii.h"
#include "base/text.h"
#include "cli/digest_explain.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/render.h"
#include "model/evidence/cbor.h"
#include "model/evidence/digest.h"
#include "model/evidence/jcs.h"
#include "model/evidence/record.h"

enum form { FORM_DIGEST, FORM_BYTES, FORM_HEX, FORM_EXPLAIN };

struct digesting {
    struct output output;
    enum canonicalization canon;
    enum digest_algorithm algorithm;
    enum form form;
    bool lines;
    struct hasher *hasher;
    struct jcs *jcs;
    struct buf canonical;
    int status;
};

static bool choices(struct digesting *d, struct invocation *call, struct err *err)
{
    const char *canon = option_value(call, "canon");
    const char *alg = option_value(call, "alg");
    d->canon = CANON_JCS;
    d->algorithm = DIGEST_SHA256;
    if (!canon)
        return err_set(err, ERR_USAGE, "--canon", "use --canon jcs or --canon cbor",
                       "the canonicalization is not named");
    if (strcmp(canon, "jcs") == 0)
        d->canon = CANON_JCS;
    else if (strcmp(canon, "cbor") == 0)
        d->canon = CANON_CBOR;
    else if (!canonicalization_find(span_of(canon), &d->canon, NULL))
        return err_set(err, ERR_USAGE, "--canon", "use jcs or cbor", "'%s' is none", canon);
    if (alg && !digest_algorithm_find(span_of(alg), &d->algorithm))
        return err_set(err, ERR_USAGE, "--alg", "use sha256, sha384, sha512, sha3-256 or another",
                       "'%s' is not an algorithm we have", alg);
    if (!digest_algorithm_accepted(d->algorithm))
        return err_set(err, ERR_USAGE, "--alg", "use sha256",
                       "%s is broken: nothing can rest on it", digest_algorithm_name(d->algorithm));
    d->form = option_given(call, "bytes")     ? FORM_BYTES
              : option_given(call, "hex")     ? FORM_HEX
              : option_given(call, "explain") ? FORM_EXPLAIN
                                              : FORM_DIGEST;
    d->lines = option_given(call, "lines");
    return true;
}

static bool looks_like_json(struct span text)
{
    struct span t = span_trim(text);
    return t.len && (ascii_is_one_of(t.at[0], "{[\"-tfn") || (t.at[0] >= '0' && t.at[0] <= '9'));
}

/* ASCII all over: as CBOR that is a number or a string by chance (a blank is -1), and where JSON is
 * asked for it is text that is none. */
static bool is_ascii_text(struct span text)
{
    text = span_trim(text);
    size_t at = 0;
    while (at < text.len && text.at[at] >= ' ' && text.at[at] <= '~')
        at++;
    return at == text.len;
}

/* A CBOR record under JCS: by way of JSON, where JSON has a place for all that is in it. */
static bool canonicalize_cbor_as_json(struct digesting *d, struct span record, const char *where,
                                      struct err *err)
{
    struct buf json = {0};
    struct jcs_report report;
    bool lossy = false;
    bool ok = cbor_to_json(record, &json, &lossy) && !lossy;
    if (ok)
        ok = jcs_canonicalize(d->jcs, buf_span(&json), &d->canonical, &report) ||
             jcs_fail(&report, where, err);
    else
        err_set(err, ERR_INPUT, where, "use --canon cbor",
                "CBOR with something in it that JSON has no place for");
    buf_finish(&json);
    return ok;
}

/* Canonical bytes of a record into d->canonical. */
static bool canonicalize(struct digesting *d, struct span record, const char *where,
                         struct err *err)
{
    struct jcs_report report;
    buf_clear(&d->canonical);
    struct cbor_report cbor;
    if (d->canon == CANON_JCS) {
        if (jcs_canonicalize(d->jcs, record, &d->canonical, &report))
            return true;
        return !looks_like_json(record) && !is_ascii_text(record) && cbor_check(record, &cbor)
                   ? canonicalize_cbor_as_json(d, record, where, err)
                   : jcs_fail(&report, where, err);
    }
    if (!looks_like_json(record)) {
        if (cbor_deterministic(record, CBOR_CORE, &d->canonical, &cbor))
            return true;
        const struct cbor_verdict *v = cbor.well_formed.ok ? &cbor.valid : &cbor.well_formed;
        return err_set(err, ERR_INPUT, where, "a record like this has no digest", "byte %zu: %s",
                       v->at, cbor_flaw_text(v->why));
    }
    return cbor_from_json(record, CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, &d->canonical,
                          &report) ||
           jcs_fail(&report, where, err);
}

/* The digest and, where it was asked for, how the canonical bytes came about. */
static void print_digest(struct digesting *d, struct span record, const char *name,
                         const struct digest *digest, struct json *j)
{
    const struct digest_explain e = {.canon = d->canon,
                                     .record = record,
                                     .canonical = buf_span(&d->canonical),
                                     .is_json = looks_like_json(record)};
    struct buf text = {0};
    digest_write(&text, digest);
    if (d->output.json) {
        json_object(j, NULL);
        render_head(j, "digest", NULL);
        json_word(j, "file", name);
        json_word(j, "canonicalization", canonicalization_name(d->canon));
        json_string(j, "digest", buf_span(&text));
        json_int(j, "bytes", (int64_t)d->canonical.len);
        if (d->form == FORM_EXPLAIN)
            digest_explain_json(&e, d->jcs, j);
        json_end(j);
        json_line(j);
    } else {
        if (name) {
            buf_puts(&text, "  ");
            text_safe(&text, span_of(name));
        }
        printf("%.*s\n", SPAN_ARG(buf_span(&text)));
        if (d->form == FORM_EXPLAIN)
            digest_explain_text(&e, d->jcs);
    }
    buf_finish(&text);
}

static void digest_one(struct digesting *d, struct span record, const char *where, const char *name,
                       struct json *j)
{
    struct err err = {0};
    struct digest digest;
    if (!canonicalize(d, record, where, &err) ||
        !hasher_digest(d->hasher, d->algorithm, buf_span(&d->canonical), &digest, &err)) {
        d->status = worse_status(d->status, verb_failed(&err));
        return;
    }
    switch (d->form) {
    case FORM_BYTES:
        fwrite(d->canonical.at, 1, d->canonical.len, stdout);
        break;
    case FORM_HEX: {
        struct buf hex = {0};
        hex_encode(&hex, buf_span(&d->canonical));
        printf("%.*s\n", SPAN_ARG(buf_span(&hex)));
        buf_finish(&hex);
        break;
    }
    case FORM_EXPLAIN:
    case FORM_DIGEST:
        print_digest(d, record, name, &digest, j);
        break;
    }
}

static void digest_file(struct digesting *d, const char *path, bool named, struct json *j)
{
    struct buf text = {0};
    struct err err = {0};
    const char *where = strcmp(path, "-") == 0 ? "standard input" : path;
    if (!file_read(path, &text, &err)) {
        d->status = worse_status(d->status, verb_failed(&err));
    } else if (!d->lines) {
        digest_one(d, buf_span(&text), where, named ? path : NULL, j);
    } else {
        struct span rest = buf_span(&text);
        char name[512];
        for (size_t line = 1; rest.len; line++) {
            size_t end = span_find_byte(rest, '\n');
            struct span record = span_trim(span_sub(rest, 0, end));
            snprintf(name, sizeof name, "%s:%zu", where, line);
            if (record.len)
                digest_one(d, record, name, named ? name : NULL, j);
            rest = span_sub(rest, end + 1, rest.len);
        }
    }
    buf_finish(&text);
}

static int digest_run(struct invocation *call)
{
    struct digesting d = {0};
    struct err err = {0};
    struct json j;
    if (!output_options(call, &d.output, &err) || !choices(&d, call, &err))
        return verb_failed(&err);
    d.hasher = hasher_create();
    d.jcs = jcs_create();
    json_init(&j, stdout, false);
    if (call->operand_count == 0)
        digest_file(&d, "-", false, &j);
    for (size_t i = 0; i < call->operand_count; i++)
        digest_file(&d, call->operands[i], true, &j);
    json_close(&j);
    jcs_destroy(d.jcs);
    hasher_destroy(d.hasher);
    buf_finish(&d.canonical);
    return d.status;
}

static const struct option_spec digest_options[] = {
    {"canon", 'c', "NAME", "jcs (RFC 8785) or cbor (RFC 8949 core deterministic)"},
    {"alg", 'a', "NAME", "sha256 (default), sha384, sha512, sha512-256, sha3-256, blake2b512 …"},
    {"bytes", 'b', NULL, "the canonical bytes and nothing else"},
    {"hex", 'x', NULL, "the canonical bytes in hex"},
    {"explain", 0, NULL, "also what was changed, position by position; CBOR head by head"},
    {"lines", 'l', NULL, "each line is a record"},
    {NULL, 0, NULL, NULL},
};

const struct verb verb_digest = {
    .name = "digest",
    .usage = "--canon jcs|cbor [FILE...]",
    .summary = "The digest of a record, re-derived from its canonical bytes.",
    .help =
        "Reads standard input where no file is named. A record that may not be hashed\n"
        "(duplicate names, lone surrogates, numbers beyond a double …) gives one line with the\n"
        "byte and the reason, and exit status 4.\n\n"
        "    echo '{\"b\":2, \"a\":1.0}' | strandline digest --canon jcs --bytes",
    .options = digest_options,
    .run = digest_run,
};
