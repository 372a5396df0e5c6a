#include "tests/unit/case_support.h"

#include "model/flow/policy.h"
#include "model/query/notes.h"
#include "model/seal/seal.h"

/* The first test vector of RFC 8032 §7.1, as PKCS #8. */
static const char fixed_key[] = "-----BEGIN PRIVATE KEY-----\n"
                                "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
                                "-----END PRIVATE KEY-----\n";

enum { EVENTS = 2500 }; /* more than one block of links */

/* A case with events, two of which stand on the same bytes, and a note. */
static struct case_file *sealable(const struct folder *f)
{
    struct err err = {0};
    struct case_file *c = case_create(f->file, &err);
    MUST(c);
    MUST(db_begin(case_db(c), &err));
    struct buf bytes = {0};
    for (int i = 0; i < EVENTS; i++)
        buf_addf(&bytes, "%04d\n", i);
    int64_t source = add_source(c, buf_span(&bytes));
    struct session_row row = {.name = SPAN("one")};
    int64_t session = store_session(c, &row, &err);
    MUST(session);
    for (int i = 0; i < EVENTS; i++) {
        const struct step_sketch sketch = {.kind = STEP_TOOL_CALL,
                                           .tool = "t",
                                           .source = source,
                                           .time_ns = -1,
                                           .offset = (uint64_t)(i / 2) * 10,
                                           .length = 5};
        add_step(c, session, &sketch, 0);
    }
    MUST(store_number_steps(c, session, &err));
    MUST(db_commit(case_db(c), &err));
    MUST(note_add(c, session, 1, SPAN("look here"), &err));
    buf_finish(&bytes);
    return c;
}

struct sealed {
    struct folder folder;
    struct case_file *c;
    struct signing_key *key;
    struct attest_key *public_key;
    struct arena arena;
    struct seal_report report;
};

static void seal_it(struct sealed *s)
{
    struct err err = {0};
    struct policy *policy = policy_load("additive", &err);
    MUST(policy);
    MUST(seal_make(s->c, s->key, policy, NULL, NULL, &err));
    policy_destroy(policy);
}

static void sealed_begin(struct sealed *s)
{
    struct err err = {0};
    struct buf pem = {0};
    *s = (struct sealed){.folder = folder_make("c.strand")};
    s->c = sealable(&s->folder);
    s->key = signing_key_read(span_of(fixed_key), &err);
    MUST(s->key);
    MUST(signing_key_write_public(s->key, &pem, &err));
    s->public_key = attest_key_read(buf_span(&pem), &err);
    MUST(s->public_key);
    buf_finish(&pem);
    seal_it(s);
}

static void sealed_end(struct sealed *s)
{
    case_close(s->c);
    signing_key_destroy(s->key);
    attest_key_destroy(s->public_key);
    arena_finish(&s->arena);
    folder_remove(&s->folder);
}

/* The verdict after these statements, which are taken back then. */
static enum seal_verdict after(struct sealed *s, const char *sql, const struct attest_key *key)
{
    struct err err = {0};
    struct db *db = case_db(s->c);
    MUST(db_begin(db, &err));
    MUST(db_exec(db, sql, &err));
    MUST(seal_check(s->c, key, &s->arena, &s->report, NULL, NULL, &err));
    db_rollback(db);
    store_forget_tails(s->c);
    return s->report.verdict;
}

Test(seal, tells_what_changed)
{
    static const struct {
        const char *sql, *part, *what;
    } changes[] = {
        {"UPDATE event SET method = 'x' WHERE id = 1700", "events",
         "the first that differs is event 1700 of 2500, log.jsonl:1, byte 8490"},
        {"DELETE FROM step; DELETE FROM event WHERE id = 30", "events",
         "the first that differs is event 30 of 2500, log.jsonl:1, byte 150"},
        {"DELETE FROM step; DELETE FROM event WHERE id = 2500", "events",
         "the first that differs is event 2500 of 2500, which is gone"},
        {"INSERT INTO event SELECT 9999, session_id, connection_id, source_id, line, offset, length,"
         " recipe, time_ns, time_digits, direction, kind, method, rpc_id, pair_id, flags FROM event"
         " WHERE id = 1",
         "events", "the first 2500 are unchanged; others came behind them"},
        {"UPDATE event SET kind = 'x' WHERE id = 3; UPDATE seal_link SET links = zeroblob(32768)",
         "events", "changed; which one can't be said, for the list of links was changed too"},
        {"UPDATE frame SET packed = zeroblob(9)", "source 1 log.jsonl", "changed"},
        {"UPDATE step SET is_error = 1 WHERE n = 7", "table step", "changed"},
        {"INSERT INTO claim VALUES(1, 1, -1, 'trust', 'untrusted', 'false', '', NULL, 0, 1)",
         "table claim", "changed"},
        {"UPDATE session SET name = 'two'", "table session", "changed"},
        {"UPDATE account SET bytes = 7", "table account", "changed"},
        {"UPDATE note SET text = 'look there'", "notes", "changed"},
        {"DELETE FROM note", "notes", "changed"},
        {"DELETE FROM source", "source 1 log.jsonl", "gone"},
        {"INSERT INTO source(path, role, imported_at) VALUES('b', 'log', '')", "source 2 b",
         "added since"},
    };
    struct sealed s;
    struct err err = {0};
    sealed_begin(&s);
    MUST(store_account(s.c, 1, "event", SPAN_EMPTY, 1, 1, &err));
    seal_it(&s);
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        bool found = false;
        cr_expect_eq(after(&s, changes[i].sql, s.public_key), SEAL_BROKEN, "%s", changes[i].sql);
        for (size_t d = 0; d < s.report.difference_count; d++)
            found = found || (span_is(s.report.differences[d].part, changes[i].part) &&
                              span_is(s.report.differences[d].what, changes[i].what));
        cr_expect(found, "%s: nothing says \"%s: %s\"", changes[i].sql, changes[i].part,
                  changes[i].what);
    }
    sealed_end(&s);
}

Test(seal, is_put_under_what_was_imported_only)
{
    static const char *const changes[] = {"UPDATE source SET sha256 = zeroblob(32)",
                                          "UPDATE frame SET packed = zeroblob(9)"};
    struct sealed s;
    struct err err = {0};
    sealed_begin(&s);
    struct policy *policy = policy_load("additive", &err);
    MUST(policy);
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        MUST(db_exec(case_db(s.c), changes[i], &err));
        store_forget_tails(s.c);
        cr_expect(!seal_make(s.c, s.key, policy, NULL, NULL, &err));
        cr_expect_eq(err.kind, ERR_EVIDENCE);
        cr_expect(strstr(err.what, "not sealed"), "%s", err.what);
    }
    policy_destroy(policy);
    sealed_end(&s);
}

Test(seal, says_whose_it_is)
{
    struct sealed s;
    struct err err = {0};
    sealed_begin(&s);
    struct signing_key *other = signing_key_generate(&err);
    struct buf pem = {0};
    MUST(other && signing_key_write_public(other, &pem, &err));
    struct attest_key *other_public = attest_key_read(buf_span(&pem), &err);
    MUST(other_public);
    cr_expect_eq(after(&s, "", s.public_key), SEAL_VERIFIED);
    cr_expect_eq(s.report.difference_count, 0);
    cr_expect(span_is(s.report.policy, "additive"));
    cr_expect_eq(after(&s, "", NULL), SEAL_UNCHANGED);
    cr_expect_eq(after(&s, "", other_public), SEAL_WRONG_KEY);
    cr_expect_eq(after(&s, "DELETE FROM seal", s.public_key), SEAL_NONE);
    cr_expect_eq(after(&s, "UPDATE seal SET signature = zeroblob(64)", s.public_key),
                 SEAL_BAD_SIGNATURE);
    cr_expect_eq(after(&s, "UPDATE seal SET signature = x''", s.public_key), SEAL_BAD_SIGNATURE);
    cr_expect_eq(after(&s, "UPDATE seal SET manifest = replace(manifest, 'additive', 'fides')",
                       s.public_key),
                 SEAL_BAD_SIGNATURE);
    cr_expect_eq(after(&s, "UPDATE seal SET manifest = '{}'", NULL), SEAL_BAD_SIGNATURE);
    /* Where the reviewer was, and what replay made, are no part of it. */
    cr_expect_eq(after(&s, "INSERT INTO view_state VALUES('step:1', '4'); DELETE FROM run", NULL),
                 SEAL_UNCHANGED);
    attest_key_destroy(other_public);
    signing_key_destroy(other);
    buf_finish(&pem);
    sealed_end(&s);
}

Test(seal, keys)
{
    static const struct {
        const char *text, *what;
    } wrong[] = {
        {"", "not a private key in PEM"},
        {"-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n",
         "not a private key in PEM"},
        {"-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
         "MIGjMF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBDCDCq2VCdz07yXsAn7\n"
         "nrTuAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQeJ0yxr8CnvhVkfQt\n"
         "-----END ENCRYPTED PRIVATE KEY-----\n",
         "not a private key in PEM"},
    };
    struct err err = {0};
    struct buf pem = {0};
    uint8_t public_key[PUBLIC_KEY_BYTES], signature[SIGNATURE_BYTES];
    static const uint8_t rfc8032[] = {0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        cr_expect_null(signing_key_read(span_of(wrong[i].text), &err));
        cr_expect_str_eq(err.what, wrong[i].what);
    }
    struct signing_key *key = signing_key_read(span_of(fixed_key), &err);
    MUST(key);
    signing_key_public(key, public_key);
    cr_expect_arr_eq(public_key, rfc8032, sizeof rfc8032);
    MUST(signing_key_sign(key, SPAN(""), signature, &err));
    cr_expect_eq(signature[0], 0xe5, "the signature of RFC 8032 §7.1 over nothing");
    struct span signed_by = {(const char *)signature, sizeof signature};
    cr_expect(signature_is_right(public_key, SPAN(""), signed_by));
    cr_expect_not(signature_is_right(public_key, SPAN("x"), signed_by));
    MUST(signing_key_write(key, &pem, &err));
    cr_expect_str_eq(buf_cstr(&pem), fixed_key, "written as it was read");
    signing_key_destroy(key);
    buf_finish(&pem);
}
