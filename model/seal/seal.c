#include "model/seal/seal.h"

#include <time.h>

#include "base/timefmt.h"
#include "model/evidence/digest.h"
#include "model/seal/manifest.h"

const char *seal_verdict_word(enum seal_verdict verdict)
{
    static const char *const words[] = {
#define X(id, word, text) word,
        SEAL_VERDICTS(X)
#undef X
    };
    return words[verdict];
}

const char *seal_verdict_text(enum seal_verdict verdict)
{
    static const char *const texts[] = {
#define X(id, word, text) text,
        SEAL_VERDICTS(X)
#undef X
    };
    return texts[verdict];
}

bool seal_verdict_failed(enum seal_verdict verdict)
{
    return verdict == SEAL_BROKEN || verdict == SEAL_BAD_SIGNATURE || verdict == SEAL_WRONG_KEY;
}

/* ---- making ---- */

static bool store_seal(struct case_file *c, struct span manifest, struct span signature,
                       struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(c), "INSERT OR REPLACE INTO seal(id, manifest, signature) VALUES(1, ?1, ?2)", err);
    if (!stmt)
        return false;
    stmt_bind_text(stmt, 1, manifest);
    stmt_bind_blob(stmt, 2, signature);
    return stmt_run(stmt, err);
}

static bool sign_and_store(struct case_file *c, const struct signing_key *key,
                           const struct manifest_head *head, seal_stop stop, void *arg,
                           struct err *err)
{
    uint8_t signature[SIGNATURE_BYTES];
    struct manifest manifest = {0};
    bool ok = manifest_make(c, head, true, &manifest, stop, arg, err) &&
              signing_key_sign(key, buf_span(&manifest.text), signature, err) &&
              store_seal(c, buf_span(&manifest.text),
                         (struct span){(const char *)signature, sizeof signature}, err);
    manifest_finish(&manifest);
    return ok;
}

bool seal_make(struct case_file *c, const struct signing_key *key, const struct policy *policy,
               seal_stop stop, void *arg, struct err *err)
{
    if (!case_is_writable(c))
        return err_set(err, ERR_INPUT, case_path(c), "seal a copy of it",
                       "the case can't be written to");
    uint8_t public_key[PUBLIC_KEY_BYTES];
    struct buf at = {0}, hex = {0};
    signing_key_public(key, public_key);
    hex_encode(&hex, (struct span){(const char *)public_key, sizeof public_key});
    time_print(&at, (int64_t)time(NULL) * TIME_SECOND, 0);
    const struct manifest_head head = {.sealed_at = buf_span(&at),
                                       .public_key = buf_span(&hex),
                                       .policy = span_of(policy_name(policy)),
                                       .policy_digest = span_of(policy_digest(policy))};
    bool ok = db_begin(case_db(c), err);
    if (ok) {
        ok = sign_and_store(c, key, &head, stop, arg, err) && db_commit(case_db(c), err);
        if (!ok)
            db_rollback(case_db(c));
    }
    buf_finish(&at);
    buf_finish(&hex);
    return ok;
}

/* ---- checking ---- */

/* 1 and the seal's texts, 0 where there is none, -1. */
static int load_seal(struct case_file *c, struct arena *arena, struct span *manifest,
                     struct span *signature, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c), "SELECT manifest, signature FROM main.seal WHERE id = 1", err);
    if (!stmt)
        return -1;
    int row = stmt_step(stmt, err);
    if (row > 0) {
        *manifest = arena_copy(arena, stmt_text(stmt, 0));
        *signature = arena_copy(arena, stmt_blob(stmt, 1));
    }
    stmt_reset(stmt);
    return row;
}

static bool read_public_key(struct span hex, uint8_t out[PUBLIC_KEY_BYTES])
{
    struct buf bytes = {0};
    bool ok = hex_decode(hex, &bytes) && bytes.len == PUBLIC_KEY_BYTES;
    if (ok)
        memcpy(out, bytes.at, PUBLIC_KEY_BYTES);
    buf_finish(&bytes);
    return ok;
}

/* "the first that differs is event 12 of 31: session github-leak, step 9" */
static bool name_event(struct case_file *c, int64_t place, int64_t count, int64_t event,
                       struct arena *arena, struct span *what, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c),
                "SELECT s.path, e.line, e.offset FROM event e JOIN source s ON s.id = e.source_id"
                " WHERE e.id = ?1",
                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, event);
    int row = stmt_step(stmt, err);
    const char *first = arena_printf(arena, "the first that differs is event %lld of %lld",
                                     (long long)place, (long long)count);
    struct buf text = {0};
    buf_puts(&text, first);
    if (place > count) {
        buf_clear(&text);
        buf_addf(&text, "the first %lld are unchanged; others came behind them", (long long)count);
    } else if (row > 0) {
        buf_puts(&text, ", ");
        buf_add(&text, stmt_text(stmt, 0));
        buf_addf(&text, ":%lld, byte %lld", (long long)stmt_int(stmt, 1),
                 (long long)stmt_int(stmt, 2));
    } else {
        buf_puts(&text, ", which is gone");
    }
    stmt_reset(stmt);
    *what = arena_copy(arena, buf_span(&text));
    buf_finish(&text);
    return row >= 0;
}

/* Says of the events which one is the first that differs, in place of "changed". */
static bool locate_event(struct case_file *c, const struct chain_end *sealed, struct arena *arena,
                         struct seal_report *report, seal_stop stop, void *arg, struct err *err)
{
    for (size_t i = 0; i < report->difference_count; i++) {
        struct seal_difference *d = &report->differences[i];
        int64_t place, event;
        if (!span_is(d->part, "events"))
            continue;
        if (!chain_first_difference(c, sealed, &place, &event, stop, arg, err))
            return false;
        if (place == 0)
            d->what =
                SPAN("changed; which one can't be said, for the list of links was changed too");
        else if (!name_event(c, place, sealed->events, event, arena, &d->what, err))
            return false;
    }
    return true;
}

static bool compare_with_case(struct case_file *c, struct span sealed,
                              const struct manifest_head *head, const struct chain_end *chain,
                              struct arena *arena, struct seal_report *report, seal_stop stop,
                              void *arg, struct err *err)
{
    struct manifest now = {0};
    bool ok = manifest_make(c, head, false, &now, stop, arg, err);
    if (ok) {
        manifest_compare(sealed, buf_span(&now.text), arena, report);
        if (!span_equal(sealed, buf_span(&now.text)))
            report->verdict = SEAL_BROKEN;
        ok = locate_event(c, chain, arena, report, stop, arg, err);
    }
    manifest_finish(&now);
    return ok;
}

/* What a seal that is read holds. */
struct sealed {
    struct span manifest;
    struct manifest_head head;
    struct chain_end chain;
};

/* The verdict is SEAL_UNCHANGED where the rest of the case decides. */
static bool read_seal(struct case_file *c, struct arena *arena, struct sealed *sealed,
                      struct seal_report *report, struct err *err)
{
    struct span signature;
    *report = (struct seal_report){.verdict = SEAL_NONE};
    int row = load_seal(c, arena, &sealed->manifest, &signature, err);
    if (row <= 0)
        return row == 0;
    report->verdict = SEAL_BAD_SIGNATURE;
    if (!manifest_read(sealed->manifest, arena, &sealed->head, &sealed->chain) ||
        !read_public_key(sealed->head.public_key, report->public_key))
        return true;
    report->sealed_at = sealed->head.sealed_at;
    report->policy = sealed->head.policy;
    report->policy_digest = sealed->head.policy_digest;
    if (signature_is_right(report->public_key, sealed->manifest, signature))
        report->verdict = SEAL_UNCHANGED;
    return true;
}

bool seal_read(struct case_file *c, struct arena *arena, struct seal_report *report,
               struct err *err)
{
    struct sealed sealed;
    return read_seal(c, arena, &sealed, report, err);
}

bool seal_check(struct case_file *c, const struct attest_key *key, struct arena *arena,
                struct seal_report *report, seal_stop stop, void *arg, struct err *err)
{
    struct sealed sealed;
    uint8_t given[PUBLIC_KEY_BYTES];
    if (!read_seal(c, arena, &sealed, report, err))
        return false;
    if (report->verdict != SEAL_UNCHANGED)
        return true;
    if (key)
        report->verdict =
            attest_key_ed25519(key, given) && memcmp(given, report->public_key, sizeof given) == 0
                ? SEAL_VERIFIED
                : SEAL_WRONG_KEY;
    return report->verdict == SEAL_WRONG_KEY ||
           compare_with_case(c, sealed.manifest, &sealed.head, &sealed.chain, arena, report, stop,
                             arg, err);
}
