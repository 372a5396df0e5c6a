/*
 * A seal: a signed statement of what a case holds. It is made of parts - each
 * source's digest, each table of what was read, the chain over the events, the
 * reviewer's notes - named in a manifest, which is JSON in its RFC 8785 form and
 * signed with Ed25519. Checking makes the parts anew and compares.
 *
 * What replay derives (labels, verdicts, findings) is no part: it is made anew
 * from the sealed rows. A seal says that the case is as it was when it was
 * sealed, never that the recording had been complete.
 */
#ifndef STRANDLINE_MODEL_SEAL_SEAL_H
#define STRANDLINE_MODEL_SEAL_SEAL_H

#include "base/mem.h"
#include "model/case/case.h"
#include "model/evidence/attest.h"
#include "model/flow/policy.h"
#include "model/seal/signing_key.h"

/* Asked now and then during long work; true stops it. */
typedef bool (*seal_stop)(void *arg);

/* Seals the case, in place of a seal that it has. The policy's name and digest go into the
 * manifest. The case has to be a file that can be written, and every source in it what was
 * imported. */
bool seal_make(struct case_file *c, const struct signing_key *key, const struct policy *policy,
               seal_stop stop, void *arg, struct err *err);

/* id, word, what it says */
#define SEAL_VERDICTS(X)                                                                           \
    X(NONE, "none", "the case is not sealed")                                                      \
    X(VERIFIED, "verified", "unchanged, and signed by the key given")                              \
    X(UNCHANGED, "unchanged", "unchanged under the key in the seal; whose it is, --key would say") \
    X(BROKEN, "broken", "the case is not as it was sealed")                                        \
    X(BAD_SIGNATURE, "bad_signature", "the seal was not signed by its key")                        \
    X(WRONG_KEY, "wrong_key", "another key than the one given made this seal")

enum seal_verdict {
#define X(id, word, text) SEAL_##id,
    SEAL_VERDICTS(X)
#undef X
        SEAL_VERDICT_COUNT
};
/* The word in JSON; a sentence for people. */
const char *seal_verdict_word(enum seal_verdict verdict);
const char *seal_verdict_text(enum seal_verdict verdict);
/* Those that make the exit status 3. */
bool seal_verdict_failed(enum seal_verdict verdict);

/* One part that is not as it was sealed. */
struct seal_difference {
    struct span part; /* "source 2 logs/github.log", "table claim", "events" */
    struct span what; /* "changed", "gone", "added since"; of events: the first that differs */
};

struct seal_report {
    enum seal_verdict verdict;
    uint8_t public_key[PUBLIC_KEY_BYTES];
    struct span sealed_at, policy, policy_digest; /* as the manifest says */
    size_t parts;
    struct seal_difference *differences;
    size_t difference_count;
};

/* What the seal says of itself, and whether its signature is right: SEAL_UNCHANGED then stands for
 * a case that was not compared with it. */
bool seal_read(struct case_file *c, struct arena *arena, struct seal_report *report,
               struct err *err);
/* Checks the case's seal. `key` may be NULL. What the report holds is in the arena. */
bool seal_check(struct case_file *c, const struct attest_key *key, struct arena *arena,
                struct seal_report *report, seal_stop stop, void *arg, struct err *err);

#endif
