#include "cli/subject.h"

#include <sys/stat.h>

#include "cli/progress.h"
#include "cli/verbs.h"
#include "model/query/account.h"

static bool path_exists(const char *path)
{
    struct stat info;
    return strcmp(path, "-") == 0 || stat(path, &info) == 0;
}

static bool read_logs(struct subject *s, struct invocation *call, size_t count, struct err *err)
{
    s->c = case_temporary(err);
    if (!s->c)
        return false;
    s->from_logs = true;
    s->log_count = count;
    struct progress progress;
    progress_begin(&progress, call);
    struct import_options options = {
        .progress = progress_import, .told = progress_told, .arg = &progress};
    bool all_read = import_logs(s->c, (const char *const *)call->operands, count, &options,
                                &s->totals, &s->import_err);
    progress_end(&progress);
    if (!all_read && s->totals.sources == 0) {
        *err = s->import_err;
        return false;
    }
    if (!all_read)
        err_print(&s->import_err);
    return true;
}

static bool add_evidence(struct subject *s, struct invocation *call, struct err *err)
{
    size_t count;
    const char *const *paths = option_values(call, "evidence", &count);
    if (count == 0)
        return true;
    if (!s->from_logs) /* what a case says rests on its own records; only `verify` tries others */
        return call->verb == &verb_verify ||
               err_set(err, ERR_USAGE, "--evidence",
                       "add records with 'strandline import -o CASE --evidence PATH'",
                       "a case is judged by the records that it holds");
    struct import_totals totals = {0};
    return import_evidence(s->c, paths, count, &totals, err);
}

bool subject_open(struct subject *s, struct invocation *call, enum subject_shape shape,
                  struct err *err)
{
    *s = (struct subject){0};
    size_t count = call->operand_count;
    const char *todo = arena_printf(&call->arena, "see 'strandline %s --help'", call->verb->name);
    bool word_last = shape == SUBJECT_CASE_STEP || shape == SUBJECT_CASE_TEXT;
    if (count == 0 || (word_last && count == 1))
        return err_set(err, ERR_USAGE, call->verb->name, todo, "%s is needed",
                       count == 0                   ? "a case or a log"
                       : shape == SUBJECT_CASE_TEXT ? "a text"
                                                    : "a step");
    const char *policy = option_value(call, "policy");
    s->policy = policy_load(policy ? policy : "additive", err);
    if (!s->policy)
        return false;

    bool a_case = case_is(call->operands[0]);
    if (word_last || (shape == SUBJECT_CASE_SESSION && count > 1 &&
                      (a_case || !path_exists(call->operands[count - 1]))))
        s->session_word = span_of(call->operands[--count]);
    if (a_case && count > 1)
        return err_set(err, ERR_USAGE, call->operands[1], "name one case, or only logs",
                       "more than a case was named");
    if (a_case)
        s->c = shape == SUBJECT_CASE_TO_LOOK ? case_open_to_look(call->operands[0], err)
                                             : case_open(call->operands[0], err);
    else if (!read_logs(s, call, count, err))
        return false;
    return s->c && add_evidence(s, call, err);
}

void subject_close(struct subject *s)
{
    case_close(s->c);
    policy_destroy(s->policy);
}

bool subject_sessions(struct subject *s, struct invocation *call, bool every,
                      struct session_view **out, size_t *count, struct err *err)
{
    if (!query_sessions(s->c, s->policy, &call->arena, out, count, err))
        return false;
    if (*count == 0)
        return err_set(err, ERR_INPUT, s->from_logs ? call->operands[0] : case_path(s->c),
                       "see 'strandline formats FILE' for what a file looks like",
                       s->log_count > 1 ? "no session was found in it, nor in the other logs"
                                        : "no session was found in it");
    if (s->session_word.len == 0 && (every || option_given(call, "all")))
        return true;
    int64_t id;
    if (!query_session_find(s->c, s->session_word, &id, err))
        return false;
    for (size_t i = 0; i < *count; i++)
        if ((*out)[i].id == id) {
            *out += i;
            *count = 1;
            return true;
        }
    return err_set(err, ERR_INTERNAL, case_path(s->c), NULL, "session %lld is gone", (long long)id);
}

struct review *subject_review(struct subject *s, struct invocation *call, int64_t session,
                              unsigned want, struct err *err)
{
    struct progress progress;
    progress_begin(&progress, call);
    struct review *review = review_open(s->c, session, s->policy, (want & REVIEW_RECOMPUTE) != 0,
                                        progress_replay, &progress, err);
    if (review && (want & REVIEW_FINDINGS) &&
        !review_check(review, progress_replay, &progress, err)) {
        review_close(review);
        review = NULL;
    }
    progress_end(&progress);
    return review;
}

struct review *subject_step(struct subject *s, struct invocation *call, unsigned want, int64_t *n,
                            struct err *err)
{
    struct span word = s->session_word, session = {0};
    for (size_t i = word.len; i-- > 0;)
        if (word.at[i] == ':') {
            session = span_sub(word, 0, i);
            word = span_sub(word, i + 1, word.len);
            break;
        }
    unsigned long long number;
    if (!span_to_u64(word, &number) || number == 0 || number > INT64_MAX) {
        err_set(err, ERR_USAGE, call->verb->name, "give its number, or SESSION:NUMBER",
                "'%.*s' is no step", SPAN_ARG(s->session_word));
        return NULL;
    }
    int64_t id;
    if (!query_session_find(s->c, session, &id, err))
        return NULL;
    struct review *review = subject_review(s, call, id, want, err);
    if (review && (int64_t)number > review_steps(review)) {
        err_set(err, ERR_USAGE, call->verb->name, "'strandline steps' lists them",
                "there is no step %llu; the session has %lld", number,
                (long long)review_steps(review));
        review_close(review);
        return NULL;
    }
    *n = (int64_t)number;
    return review;
}

struct span session_label(const struct session_view *session)
{
    return session->key.len ? session->key : session->name;
}

int subject_answer(struct invocation *call, enum subject_shape shape, subject_work work)
{
    struct subject subject = {0};
    struct output output;
    struct err err = {0};
    bool ok = output_options(call, &output, &err) && subject_open(&subject, call, shape, &err) &&
              work(&subject, call, &output, &err);
    int status = ok ? (int)subject.import_err.kind : verb_failed(&err);
    subject_close(&subject);
    return status;
}

/* ---- what an answer must not be written over ---- */

static bool same_file(const struct stat *a, const char *path)
{
    struct stat b;
    return stat(path, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

bool subject_spares(struct subject *s, struct invocation *call, const char *path, struct err *err)
{
    struct stat there;
    if (strcmp(path, "-") == 0 || stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return true;
    struct source_view *sources;
    size_t count, evidence_count;
    const char *const *evidence = option_values(call, "evidence", &evidence_count);
    if (!query_sources(s->c, &call->arena, &sources, &count, err))
        return false;
    bool same = false;
    for (size_t i = 0; i < call->operand_count; i++)
        same = same || same_file(&there, call->operands[i]);
    for (size_t i = 0; i < evidence_count; i++)
        same = same || same_file(&there, evidence[i]);
    for (size_t i = 0; i < count; i++)
        same = same || same_file(&there, arena_cstr(&call->arena, sources[i].path));
    return !same || err_set(err, ERR_USAGE, path, "give what is written a name of its own",
                            "this is what was read, and is not written over");
}
