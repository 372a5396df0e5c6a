/* The engine: gives each step to each check, keeps what they find, ranks it. */
#include "model/findings/check.h"

#include <stdlib.h>

#include "base/sha256.h"
#include "model/findings/check_internal.h"

/* A hostile session could have a finding a step. Beyond this many of one code, they are counted. */
enum { PER_CODE_MAX = 1000 };

struct checks *checks_begin(const struct policy *policy, struct label_pool *pool,
                            struct span session_key, const struct check_hooks *hooks)
{
    struct checks *checks = NEW(struct checks);
    checks->policy = policy;
    checks->pool = pool;
    checks->hooks = *hooks;
    checks->session_key = arena_copy(&checks->arena, session_key);
    return checks;
}

void checks_destroy(struct checks *checks)
{
    if (!checks)
        return;
    leaks_destroy(checks->leaks);
    tools_destroy(checks->tools);
    check_guards_destroy(checks->guards);
    check_roots_destroy(checks->roots);
    strings_finish(&checks->strings);
    buf_finish(&checks->body);
    arena_finish(&checks->scratch);
    arena_finish(&checks->arena);
    mem_free(checks->findings);
    mem_free(checks->notes);
    mem_free(checks->habits);
    mem_free(checks);
}

/* ---- what a step holds, read when a check asks ---- */

bool look_body(const struct look *look, struct span *body)
{
    struct checks *checks = look->checks;
    if (look->input->has_body) {
        *body = span_sub(look->input->body, 0, BODY_MAX);
        return true;
    }
    if (!checks->body_loaded) {
        checks->body_loaded = true;
        buf_clear(&checks->body);
        checks->body_there =
            checks->hooks.body &&
            checks->hooks.body(checks->hooks.arg, look->step->n, BODY_MAX, &checks->body);
    }
    *body = buf_span(&checks->body);
    return checks->body_there;
}

const struct strings *look_strings(const struct look *look)
{
    struct checks *checks = look->checks;
    if (!checks->strings_read) {
        struct span body;
        checks->strings_read = true;
        checks->strings.count = 0;
        if (look_body(look, &body))
            strings_read(&checks->strings, body, &checks->scratch);
    }
    return &checks->strings;
}

/* ---- adding ---- */

struct finding_evidence evidence_here(const struct look *look, struct span pointer)
{
    return (struct finding_evidence){.n = look->step->n, .pointer = pointer};
}

struct finding_evidence evidence_in(const struct look *look, const struct string_at *s, size_t at,
                                    size_t len)
{
    bool plain = s->len == s->text.len;
    return (struct finding_evidence){.n = look->step->n,
                                     .pointer = s->pointer,
                                     .offset = plain ? s->at + at : s->at,
                                     .length = plain ? len : s->len};
}

static struct finding *new_finding(struct checks *checks, enum code code, int severity, int64_t n)
{
    if (checks->count == checks->size) {
        checks->size = checks->size ? checks->size * 2 : 64;
        checks->findings = mem_resize(checks->findings, checks->size * sizeof *checks->findings);
        checks->notes = mem_resize(checks->notes, checks->size * sizeof *checks->notes);
    }
    const struct finding_code *entry = finding_code_at(code);
    struct finding *f = &checks->findings[checks->count];
    checks->notes[checks->count++] = (struct step_note){0};
    int said;
    if (policy_severity(checks->policy, entry->code, &said))
        severity = said;
    *f = (struct finding){.code = entry,
                          .severity = severity == SEVERITY_DEFAULT ? entry->severity
                                                                   : (enum severity)severity,
                          .n = n};
    return f;
}

/* What is less an event than a habit of its server is told once a server, with how often. */
static const bool habits[CODE_COUNT] = {
    [CODE_TA06] = true,  [CODE_TA07] = true, [CODE_TA14] = true, [CODE_TA16] = true,
    [CODE_IF01] = true,  [CODE_IF02] = true, [CODE_IF05] = true, [CODE_IF13] = true,
    [CODE_S1301] = true, [CODE_IF11] = true, [CODE_IF12] = true, [CODE_MC02] = true,
};

enum { HABITS_MAX = 256 }; /* of codes and servers; beyond, each is told */

/* Counts a habit; true where it was told before. */
static bool habit_known(const struct look *look, enum code code)
{
    struct checks *checks = look->checks;
    for (size_t i = 0; i < checks->habit_count; i++) {
        struct habit *h = &checks->habits[i];
        if (h->code == code && span_equal(h->server, look->step->server)) {
            h->count++;
            return true;
        }
    }
    if (checks->habit_count < HABITS_MAX) {
        checks->habits = mem_one_more(checks->habits, checks->habit_count, &checks->habit_size,
                                      sizeof *checks->habits);
        checks->habits[checks->habit_count++] =
            (struct habit){code, arena_copy(&checks->arena, look->step->server), checks->count, 1};
    }
    return false;
}

static void tell_habits(struct checks *checks)
{
    for (size_t i = 0; i < checks->habit_count; i++) {
        const struct habit *h = &checks->habits[i];
        struct finding *f = &checks->findings[h->finding];
        if (h->count > 1)
            f->message = span_of(arena_printf(&checks->arena, "%.*s (the first of %zu)",
                                              SPAN_ARG(f->message), h->count));
    }
}

struct finding *finding_add(const struct look *look, enum code code, int severity,
                            const struct finding_evidence *evidence, size_t evidence_count,
                            const char *format, ...)
{
    struct checks *checks = look->checks;
    bool full = checks->per_code[code] >= PER_CODE_MAX;
    if (!full && habits[code] && habit_known(look, code))
        return NULL;
    checks->per_code[code]++;
    if (full)
        return NULL;
    struct finding *f = new_finding(checks, code, severity, look->step->n);
    struct step_note *note = &checks->notes[checks->count - 1];
    *note = (struct step_note){.server = arena_copy(&checks->arena, look->step->server),
                               .tool = arena_copy(&checks->arena, look->step->tool),
                               .rule = SPAN_EMPTY,
                               .approved = look->step->approved,
                               .source = look->step->whole.source,
                               .offset = look->step->whole.offset};
    struct finding_evidence *kept =
        arena_array(&checks->arena, evidence_count ? evidence_count : 1, sizeof *kept);
    for (size_t i = 0; i < evidence_count; i++) {
        kept[i] = evidence[i];
        kept[i].pointer = arena_copy(&checks->arena, evidence[i].pointer);
    }
    f->evidence = kept;
    f->evidence_count = evidence_count;
    struct buf message = {0};
    va_list args;
    va_start(args, format);
    buf_addv(&message, format, args);
    va_end(args);
    f->message = arena_copy(&checks->arena, buf_span(&message));
    buf_finish(&message);
    return f;
}

void finding_by_rule(const struct look *look, const struct finding *finding, struct span rule)
{
    struct checks *checks = look->checks;
    if (finding)
        checks->notes[finding - checks->findings].rule = arena_copy(&checks->arena, rule);
}

void check_bytes(struct checks *checks, enum code code, const struct source_bytes *where,
                 struct span what)
{
    struct step step = {
        .whole = {.source = where->source, .offset = where->offset, .length = where->length}};
    struct replay_input input = {.step = &step};
    struct look look = {.checks = checks, .step = &step, .input = &input};
    struct finding_evidence at = {
        .pointer = SPAN_EMPTY, .offset = where->offset, .length = where->length};
    finding_add(&look, code, SEVERITY_DEFAULT, &at, 1, "%.*s, line %llu, byte %llu: %.*s",
                SPAN_ARG(where->file), (unsigned long long)where->line,
                (unsigned long long)where->offset, SPAN_ARG(what));
}

void checks_diagnostic(struct checks *checks, struct span code, const struct source_bytes *where,
                       struct span what)
{
    static const enum code family[] = {CODE_PR01, CODE_PR02, CODE_PR03, CODE_PR04, CODE_PR05};
    for (size_t i = 0; i < COUNT_OF(family); i++)
        if (span_is(code, finding_code_at(family[i])->code))
            check_bytes(checks, family[i], where, what);
}

void checks_row(struct checks *checks, int64_t n, struct span query, struct span message)
{
    struct step step = {.n = n};
    struct replay_input input = {.step = &step};
    struct look look = {.checks = checks, .step = &step, .input = &input};
    struct finding_evidence here = {.n = n, .pointer = SPAN_EMPTY};
    finding_by_rule(&look,
                    finding_add(&look, CODE_PO04, SEVERITY_DEFAULT, &here, 1, "%.*s%s%.*s",
                                SPAN_ARG(query), message.len ? ": " : "", SPAN_ARG(message)),
                    query);
}

/* ---- a step ---- */

static void (*const all_checks[])(struct look *look) = {
    check_claims, check_evidence, check_request,   check_signed,  check_verdict,
    check_tools,  check_hidden,   check_encoded,   check_secrets, check_leaks,
    check_roots,  check_guards,   check_reference,
};

/* What is missing shows only at the end. */
static void count_step(struct checks *checks, const struct step *step)
{
    bool connection = step->kind == STEP_CONNECTION;
    bool unanswered = step->kind == STEP_TOOL_CALL && step->outcome == OUTCOME_UNANSWERED;
    if (connection && !checks->connections++)
        checks->connected = step->n;
    if (unanswered && !checks->unanswered_calls++)
        checks->unanswered = step->n;
    checks->other_steps += !connection;
}

static void tell_of_gaps(struct checks *checks)
{
    struct step step = {.n = checks->connected};
    struct replay_input input = {.step = &step};
    struct look look = {.checks = checks, .step = &step, .input = &input};
    struct finding_evidence here = {.n = step.n, .pointer = SPAN_EMPTY};
    if (checks->connections && !checks->other_steps)
        finding_add(&look, CODE_PR06, SEVERITY_DEFAULT, &here, 1,
                    "a connection was begun, and the record ends before anything was asked on it");
    step.n = here.n = checks->unanswered;
    if (checks->unanswered_calls)
        finding_add(&look, CODE_PR07, SEVERITY_DEFAULT, &here, 1, "%zu %s, the first at step %lld",
                    checks->unanswered_calls,
                    checks->unanswered_calls == 1 ? "call has no answer in this record"
                                                  : "calls have no answer in this record",
                    (long long)checks->unanswered);
}

void checks_resume(struct checks *checks, const struct check_resume *resume)
{
    checks->resumed = true;
    checks->resume = *resume;
    checks->unlabelled_told = resume->unlabelled_told;
    checks->rule_of_two_told = resume->rule_of_two_told;
}

bool check_rests_on_labels(struct span code)
{
    static const enum code codes[] = {CODE_PT01, CODE_PT02, CODE_PF01, CODE_PF02, CODE_IF06,
                                      CODE_IF08, CODE_IF09, CODE_IF10, CODE_R201};
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        if (span_is(code, finding_code_at(codes[i])->code))
            return true;
    return false;
}

void checks_step(struct checks *checks, const struct replay_input *input,
                 const struct replay_out *out)
{
    struct look look = {.checks = checks, .step = input->step, .input = input, .out = out};
    check_leaks_catch_up(checks);
    arena_reset(&checks->scratch);
    checks->body_loaded = checks->strings_read = false;
    if (checks->resumed) {
        check_verdict(&look);
        check_context_label(&look);
        if (look.policy_finding && checks->resume.text_left(checks->resume.arg, look.step->n))
            check_raise_violation(&look);
        return;
    }
    count_step(checks, input->step);
    check_claims_sort(&look);
    for (size_t i = 0; i < COUNT_OF(all_checks); i++)
        all_checks[i](&look);
}

/* ---- the end ---- */

static void hash_number(struct sha256 *hash, uint64_t number)
{
    char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)(number >> (8 * i));
    sha256_add(hash, (struct span){bytes, sizeof bytes});
}

static void check_hash_span(struct sha256 *hash, struct span s)
{
    hash_number(hash, s.len);
    sha256_add(hash, s);
}

/* From what the finding is about and nothing else, so that it is the same wherever the same bytes
 * are looked at: code, session, the step's source and place, and the evidence. What rests on labels
 * is about its own step: since when the context is what it is, is why, and may be another step
 * under another policy. */
static void make_id(struct checks *checks, struct finding *f, const struct step_note *note)
{
    static const char hex[] = "0123456789abcdef";
    uint8_t source[SHA256_BYTES] = {0}, digest[SHA256_BYTES];
    struct sha256 hash;
    sha256_init(&hash);
    if (note->source && checks->hooks.source_digest)
        checks->hooks.source_digest(checks->hooks.arg, note->source, source);
    check_hash_span(&hash, span_of(f->code->code));
    check_hash_span(&hash, checks->session_key);
    sha256_add(&hash, (struct span){(const char *)source, sizeof source});
    hash_number(&hash, note->offset);
    hash_number(&hash, (uint64_t)f->n);
    bool own_only = check_rests_on_labels(span_of(f->code->code));
    for (size_t i = 0; i < f->evidence_count; i++) {
        if (own_only && f->evidence[i].n != f->n)
            continue;
        hash_number(&hash, (uint64_t)f->evidence[i].n);
        check_hash_span(&hash, f->evidence[i].pointer);
        hash_number(&hash, f->evidence[i].offset);
        hash_number(&hash, f->evidence[i].length);
    }
    if (note->rule.len)
        check_hash_span(&hash, note->rule);
    sha256_so_far(&hash, SPAN_EMPTY, digest);
    sha256_finish(&hash);
    for (int i = 0; i < 8; i++) {
        f->id[2 * i] = hex[digest[i] >> 4];
        f->id[2 * i + 1] = hex[digest[i] & 15];
    }
}

/* Worst first; among equals what was really found in text before what was only permitted to happen,
 * then the earlier step, then the code. */
static int compare_findings(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    bool x_quiet = x->suppressed.at, y_quiet = y->suppressed.at;
    if (x_quiet != y_quiet)
        return x_quiet ? 1 : -1;
    if (x->severity != y->severity)
        return x->severity < y->severity ? 1 : -1;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    int order = strcmp(x->code->code, y->code->code);
    return order ? order : strcmp(x->id, y->id);
}

/* What was left out of a code is said by one finding more. */
static void tell_of_more(struct checks *checks)
{
    for (int code = 0; code < CODE_COUNT; code++) {
        if (checks->per_code[code] <= PER_CODE_MAX)
            continue;
        struct finding *f = new_finding(checks, (enum code)code, SEVERITY_DEFAULT, 0);
        f->message = span_of(arena_printf(&checks->arena, "%zu more of these were found",
                                          checks->per_code[code] - PER_CODE_MAX));
    }
}

void checks_end(struct checks *checks, const struct finding **findings, size_t *count)
{
    int day = policy_today();
    if (!checks->resumed) {
        tell_habits(checks);
        tell_of_gaps(checks);
    }
    tell_of_more(checks);
    for (size_t i = 0; i < checks->count; i++) {
        struct finding *f = &checks->findings[i];
        const struct step_note *note = &checks->notes[i];
        struct span by, reason;
        make_id(checks, f, note);
        f->suppressed = (struct span){NULL, 0};
        if (policy_suppresses(checks->policy, f->code->code, span_of(f->id), note->server,
                              note->tool, day, &reason))
            f->suppressed = arena_copy(&checks->arena, reason);
        else if (policy_approves(checks->policy, f->code->code, checks->hooks.session_name, f->n,
                                 day, &by, &reason))
            f->suppressed =
                span_of(arena_printf(&checks->arena, "approved by %.*s%s%.*s", SPAN_ARG(by),
                                     reason.len ? ": " : "", SPAN_ARG(reason)));
        else if (note->approved && policy_asks_approval(f->code->code))
            f->suppressed = SPAN("approved by the person who was asked, as the log tells");
    }
    if (checks->count) /* the notes have done their work: they needn't follow */
        qsort(checks->findings, checks->count, sizeof *checks->findings, compare_findings);
    *findings = checks->findings;
    *count = checks->count;
}
