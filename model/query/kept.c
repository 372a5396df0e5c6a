#include "model/query/kept.h"

#include "base/mem.h"
#include "base/sha256.h"
#include "model/query/review_internal.h"

struct kept_replays {
    struct case_file *c;
    struct arena arena;
    struct policy **built_in;
    size_t built_in_count;
    struct kept_run *runs;
    struct kept_key {
        int64_t session;
        const struct policy *policy;
        bool checked;
        uint8_t digest[SHA256_BYTES];
    } * keys; /* beside runs */
    size_t count, runs_size, keys_size;
};

/* ---- what a run says ---- */

/* Each column with its length, so that no two rows are the same bytes. */
static void hash_row(struct sha256 *hash, struct stmt *row)
{
    for (int i = 0; i < stmt_columns(row); i++) {
        bool null = stmt_is_null(row, i);
        struct span text = null ? SPAN_EMPTY : stmt_text(row, i);
        uint64_t length = null ? UINT64_MAX : text.len;
        sha256_add(hash, (struct span){(const char *)&length, sizeof length});
        sha256_add(hash, text);
    }
}

static bool hash_rows(struct case_file *c, int64_t run, const char *sql, struct sha256 *hash,
                      struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c), sql, err);
    int row;
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, run);
    while ((row = stmt_step(stmt, err)) > 0)
        hash_row(hash, stmt);
    stmt_finish(stmt);
    return row == 0;
}

/* Summary, steps with their labels, and findings; the numbers of rows are no part of it. */
static bool digest_run(struct case_file *c, int64_t run, uint8_t digest[SHA256_BYTES],
                       struct err *err)
{
    static const char *const parts[] = {
        "SELECT steps, first_untrusted, first_private, first_denied, denied, asked, unclaimed, json"
        " FROM run LEFT JOIN label ON label.id = final_label WHERE run.id=?1",
        "SELECT n, own.integrity, own.private, own.json, was.json, now.integrity, now.private,"
        " now.json, origin, rule, unclaimed, role, role_origin, audience, audience_assumed, verdict,"
        " trusted_action, permitted_flow, changed, evidence_failed, names, follows FROM run_step"
        " LEFT JOIN label AS own ON own.id = label_id LEFT JOIN label AS was ON was.id = before_id"
        " LEFT JOIN label AS now ON now.id = after_id WHERE run_id=?1 ORDER BY n",
        "SELECT finding_id, code, severity, rank, n, message, detail, suppressed FROM finding"
        " WHERE run_id=?1 ORDER BY rank, finding.id",
    };
    struct sha256 hash;
    bool ok = true;
    sha256_init(&hash);
    for (size_t i = 0; ok && i < COUNT_OF(parts); i++)
        ok = hash_rows(c, run, parts[i], &hash, err);
    sha256_so_far(&hash, SPAN_EMPTY, digest);
    sha256_finish(&hash);
    return ok;
}

/* ---- before ---- */

static bool keep_run(struct kept_replays *kept, const struct session_view *session,
                     const struct policy *policy, struct err *err)
{
    struct run run;
    if (!run_find(kept->c, session->id, policy, &run, err))
        return false;
    if (!run.id)
        return true;
    kept->runs = mem_one_more(kept->runs, kept->count, &kept->runs_size, sizeof *kept->runs);
    kept->keys = mem_one_more(kept->keys, kept->count, &kept->keys_size, sizeof *kept->keys);
    struct kept_key *key = &kept->keys[kept->count];
    *key = (struct kept_key){.session = session->id, .policy = policy, .checked = run.checked};
    kept->runs[kept->count++] =
        (struct kept_run){.session = session->name, .policy = span_of(policy_name(policy))};
    return digest_run(kept->c, run.id, key->digest, err);
}

static bool load_built_in(struct kept_replays *kept, const struct policy *beside, struct err *err)
{
    kept->built_in = NEW_ARRAY(struct policy *, policy_builtin_count());
    for (size_t i = 0; i < policy_builtin_count(); i++) {
        struct policy *policy = policy_load(policy_builtin_name(i), err);
        if (!policy)
            return false;
        if (beside && strcmp(policy_digest(policy), policy_digest(beside)) == 0)
            policy_destroy(policy);
        else
            kept->built_in[kept->built_in_count++] = policy;
    }
    return true;
}

struct kept_replays *kept_collect(struct case_file *c, const struct policy *policy, struct err *err)
{
    struct kept_replays *kept = NEW(struct kept_replays);
    struct session_view *sessions;
    size_t count = 0;
    kept->c = c;
    bool ok = load_built_in(kept, policy, err) &&
              query_session_names(c, &kept->arena, &sessions, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        ok = !policy || keep_run(kept, &sessions[i], policy, err);
        for (size_t k = 0; ok && k < kept->built_in_count; k++)
            ok = keep_run(kept, &sessions[i], kept->built_in[k], err);
    }
    if (ok)
        return kept;
    kept_destroy(kept);
    return NULL;
}

void kept_destroy(struct kept_replays *kept)
{
    if (!kept)
        return;
    for (size_t i = 0; i < kept->built_in_count; i++)
        policy_destroy(kept->built_in[i]);
    mem_free(kept->built_in);
    mem_free(kept->runs);
    mem_free(kept->keys);
    arena_finish(&kept->arena);
    mem_free(kept);
}

/* ---- and after ---- */

bool kept_again(struct kept_replays *kept, review_progress progress, void *arg, struct err *err)
{
    for (size_t i = 0; i < kept->count; i++) {
        const struct kept_key *key = &kept->keys[i];
        uint8_t digest[SHA256_BYTES];
        struct review *r =
            review_open(kept->c, key->session, key->policy, false, progress, arg, err);
        bool ok = r && (!key->checked || review_check(r, progress, arg, err)) &&
                  digest_run(kept->c, r->run.id, digest, err);
        review_close(r);
        if (!ok)
            return false;
        kept->runs[i].same = memcmp(digest, key->digest, sizeof digest) == 0;
    }
    return true;
}

const struct kept_run *kept_runs(const struct kept_replays *kept, size_t *count)
{
    *count = kept->count;
    return kept->runs;
}
