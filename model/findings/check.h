/*
 * Checks: from the stream of a replay to findings. The caller replays a
 * session and hands every step over, in order; nothing here knows SQLite.
 *
 *     struct checks *checks = checks_begin(policy, pool, key, &hooks);
 *     for each step: replay_step(…); checks_step(checks, &input, &out);
 *     checks_end(checks, &findings, &count);     … store them …
 *     checks_destroy(checks);
 *
 * A check is one line of a table and one function; its code is one line of
 * codes.h and one page of docs/findings.
 */
#ifndef STRANDLINE_MODEL_FINDINGS_CHECK_H
#define STRANDLINE_MODEL_FINDINGS_CHECK_H

#include "model/findings/finding.h"
#include "model/flow/replay.h"

struct check_hooks {
    void *arg;
    /* Appends the body of step n (arguments, result, text), at most `limit` bytes, to out. False
     * where it can't be read: the checks that need it are then silent about the step. */
    bool (*body)(void *arg, int64_t n, uint64_t limit, struct buf *out);
    /* SHA-256 of a source, so that ids are the same on every machine. False: not known. */
    bool (*source_digest)(void *arg, int64_t source, uint8_t digest[32]);
    struct span session_name; /* as output calls it, for approvals; lives as long as the checks */
};

struct checks;
/* All borrowed until checks_destroy; `session_key` is copied. */
struct checks *checks_begin(const struct policy *policy, struct label_pool *pool,
                            struct span session_key, const struct check_hooks *hooks);
void checks_destroy(struct checks *checks);

/*
 * From here on only what rests on labels alone is looked for: PT, PF, IF08 to IF10 and R2. For a
 * session that is taken up in its middle, where all else was found before and stays. `text_left`
 * says of a step whether text that left was found there, which makes its violation weigh more.
 */
struct check_resume {
    bool unlabelled_told, rule_of_two_told; /* IF08, R201: at most once a session */
    void *arg;
    bool (*text_left)(void *arg, int64_t n);
};
/* Before the first step. Copied; its `arg` is borrowed until the checks are destroyed. */
void checks_resume(struct checks *checks, const struct check_resume *resume);
/* Does what left (the arguments of a call, or an answer) hold text of these items, in a way that a
 * finding would tell of if they were private or untrusted? Where it doesn't, such findings don't
 * change with the labels of those items. */
struct trace;
bool check_text_matters(struct trace *items, struct span body, bool answer, struct arena *arena);
/* Is this code one of those? */
bool check_rests_on_labels(struct span code);

/* Before the first step: a folder that the host declared to that server, as the URL it gave. Paths
 * of the server's calls outside of all of its folders are findings; what is no file URL is ignored.
 */
void checks_declare_root(struct checks *checks, struct span server, struct span url);

/* One step with what the replay said of it. Spans are borrowed for the call. `input->body` is used
 * where it is there; else the body is asked for when a check needs it. */
void checks_step(struct checks *checks, const struct replay_input *input,
                 const struct replay_out *out);
/* Bytes of a source that are no step's. */
struct source_bytes {
    struct span file; /* its path, for people */
    int64_t source;
    uint64_t line, offset, length;
};
/* What was exchanged over HTTP and is no message of MCP: `text` is its record in the source. */
void checks_exchange(struct checks *checks, const struct source_bytes *where, struct span text);
/* Something that the importer could not read, as it noted it (codes of the PR family; others are
 * ignored). The source and the offset make its id. */
void checks_diagnostic(struct checks *checks, struct span code, const struct source_bytes *where,
                       struct span what);
/* A row that a query of the policy gave about step n (0: about the session). */
void checks_row(struct checks *checks, int64_t n, struct span query, struct span message);
/* All findings, worst true thing first; they live until checks_destroy. */
void checks_end(struct checks *checks, const struct finding **findings, size_t *count);

/* {"evidence":[{"step","pointer","offset","length"}],"refs":[…],"policy":…,"suppressed":…}: what
 * `check --json` shows of a finding beside its columns. */
void finding_detail_json(struct buf *out, const struct finding *finding,
                         const struct policy *policy);

#endif
