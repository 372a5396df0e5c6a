/* The step function, the rules that match a tool, and what the user said. */
#include "base/ascii.h"
#include "model/flow/replay_internal.h"

#include "base/hash.h"
#include "base/jsonr.h"
#include "model/flow/parties.h"

const char *label_origin_word(enum label_origin origin)
{
    static const char *const words[] = {
#define X(id, word) word,
        LABEL_ORIGINS(X)
#undef X
    };
    return words[origin];
}

const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {NULL, "allow", "ask", "deny"};
    return words[verdict];
}

const char *role_origin_word(enum role_origin origin)
{
    static const char *const words[] = {"none", "policy", "catalogue", "hint", "assumed"};
    return words[origin];
}

/* ---- making one ---- */

static struct label *labels_of(const struct rules *rules, struct label_pool *pool)
{
    struct label *labels = NEW_ARRAY(struct label, rules->count);
    for (size_t i = 0; i < rules->count; i++) {
        labels[i] = LABEL_PUBLIC;
        if (rules->items[i].has_label)
            label_parse(pool, rules->items[i].label, &labels[i]); /* was checked when it was read */
    }
    return labels;
}

static bool rules_ask_prompts(const struct rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->items[i].role & ROLE_UNLESS_NAMED)
            return true;
    return false;
}

struct replay *replay_create(const struct policy *policy, struct label_pool *pool)
{
    struct replay *replay = NEW(struct replay);
    replay->policy = policy;
    replay->pool = pool;
    replay->policy_labels = labels_of(&policy->rules, pool);
    replay->catalogue_labels = labels_of(&policy->catalogue, pool);
    unsigned hints =
        policy->hint_read | policy->hint_read_open | policy->hint_write | policy->hint_write_closed;
    replay->wants_prompts = policy->prompt_endorses || (hints & ROLE_UNLESS_NAMED) ||
                            rules_ask_prompts(&policy->rules) ||
                            (policy->catalogue_roles && rules_ask_prompts(&policy->catalogue));
    if (policy->follows_links)
        replay->links = links_create();
    return replay;
}

void replay_destroy(struct replay *replay)
{
    if (!replay)
        return;
    arena_finish(&replay->scratch);
    arena_finish(&replay->plans_arena);
    arena_finish(&replay->prompts_arena);
    mem_free(replay->policy_labels);
    mem_free(replay->catalogue_labels);
    mem_free(replay->plans);
    mem_free(replay->prompts);
    links_destroy(replay->links);
    mem_free(replay);
}

void replay_start(struct replay_state *state)
{
    *state = (struct replay_state){.context = LABEL_PUBLIC};
}

/* ---- plans ---- */

enum { PLANS_MAX = 65536 }; /* a hostile log may name a tool a line: then it starts over */

static void plans_grow(struct replay *replay)
{
    struct plan **old = replay->plans;
    size_t old_size = replay->plan_size;
    replay->plan_size = old_size ? old_size * 2 : 256;
    replay->plans = NEW_ARRAY(struct plan *, replay->plan_size);
    for (size_t i = 0; i < old_size; i++) {
        if (!old[i])
            continue;
        size_t at = old[i]->hash & (replay->plan_size - 1);
        while (replay->plans[at])
            at = (at + 1) & (replay->plan_size - 1);
        replay->plans[at] = old[i];
    }
    mem_free(old);
}

static void plan_note_wants(struct plan *plan, const struct policy *policy, const struct rule *rule,
                            bool catalogue)
{
    bool asks = rule->match.condition_count > 0;
    bool addressed = rule->has_audience && rule->audience != AUDIENCE_PUBLIC &&
                     rule->audience != AUDIENCE_CONSTANT;
    plan->call_wants_arguments |=
        asks || addressed || (rule->role & (ROLE_UNLESS_NAMED | ROLE_FETCH));
    plan->result_wants_arguments |= rule->resource_count > 0 || (rule->has_label && asks);
    if (rule->party_count && (!catalogue || policy->catalogue_labels))
        plan->result_wants_body = true;
    if (rule->directory && policy->prompt_endorses && (!catalogue || policy->catalogue_audiences))
        plan->result_wants_body = plan->result_wants_arguments = true;
}

static size_t plan_collect(struct plan *plan, const struct policy *policy,
                           const struct rules *rules, size_t count)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->items[i];
        if (!match_names(&rule->match, plan->server, plan->tool))
            continue;
        if (plan->rules) {
            plan->rules[count] = rule;
            plan_note_wants(plan, policy, rule, rules == &policy->catalogue);
        }
        count++;
    }
    return count;
}

static struct plan *plan_make(struct replay *replay, struct span server, struct span tool)
{
    const struct policy *policy = replay->policy;
    struct arena *arena = &replay->plans_arena;
    struct plan *plan = arena_alloc(arena, sizeof *plan);
    plan->server = arena_copy(arena, server);
    plan->tool = arena_copy(arena, tool);
    size_t count = plan_collect(plan, policy, &policy->rules, 0);
    count = plan_collect(plan, policy, &policy->catalogue, count);
    plan->rules = arena_array(arena, count + 1, sizeof *plan->rules);
    plan->policy_count = plan_collect(plan, policy, &policy->rules, 0);
    plan->count = plan_collect(plan, policy, &policy->catalogue, plan->policy_count);
    return plan;
}

static const struct plan *replay_plan(struct replay *replay, struct span server, struct span tool)
{
    uint32_t hash = (uint32_t)hash_next(hash_next(HASH_BEGIN, server), tool);
    if (replay->plan_size)
        for (size_t i = hash & (replay->plan_size - 1); replay->plans[i];
             i = (i + 1) & (replay->plan_size - 1)) {
            const struct plan *plan = replay->plans[i];
            if (plan->hash == hash && span_equal(plan->tool, tool) &&
                span_equal(plan->server, server))
                return plan;
        }
    if (replay->plan_count == PLANS_MAX) {
        arena_reset(&replay->plans_arena);
        memset(replay->plans, 0, replay->plan_size * sizeof *replay->plans);
        replay->plan_count = 0;
    }
    if (replay->plan_count * 2 >= replay->plan_size)
        plans_grow(replay);
    struct plan *plan = plan_make(replay, server, tool);
    plan->hash = hash;
    size_t at = hash & (replay->plan_size - 1);
    while (replay->plans[at])
        at = (at + 1) & (replay->plan_size - 1);
    replay->plans[at] = plan;
    replay->plan_count++;
    return plan;
}

/* ---- rules ---- */

static bool speaks(const struct rule *rule, enum aspect aspect, unsigned kinds)
{
    switch (aspect) {
    case ASPECT_LABEL:
        return rule->has_label && (rule->kinds & kinds);
    case ASPECT_ROLE:
        return rule->has_role;
    case ASPECT_REQUIRE:
        return rule->has_require;
    case ASPECT_AUDIENCE:
        return rule->has_audience;
    case ASPECT_DIRECTORY:
        return rule->directory != NULL;
    default:
        return rule->resource != NULL;
    }
}

static bool catalogue_asked(const struct policy *policy, enum aspect aspect)
{
    switch (aspect) {
    case ASPECT_LABEL:
        return policy->catalogue_labels;
    case ASPECT_ROLE:
    case ASPECT_REQUIRE:
        return policy->catalogue_roles;
    case ASPECT_AUDIENCE:
    case ASPECT_DIRECTORY:
        return policy->catalogue_audiences;
    default:
        return policy->catalogue_resources;
    }
}

const struct rule *replay_rule(const struct pass *p, enum aspect aspect, unsigned kinds,
                               struct span arguments, bool known)
{
    const struct plan *plan = p->plan;
    size_t count = catalogue_asked(p->replay->policy, aspect) ? plan->count : plan->policy_count;
    for (size_t i = 0; i < count; i++) {
        const struct rule *rule = plan->rules[i];
        if (!speaks(rule, aspect, kinds))
            continue;
        if (!rule->match.condition_count || (known && match_arguments(&rule->match, arguments)))
            return rule;
    }
    return NULL;
}

bool replay_rule_is_catalogue(const struct pass *p, const struct rule *rule)
{
    const struct rules *rules = &p->replay->policy->catalogue;
    return rule >= rules->items && rule < rules->items + rules->count;
}

struct label replay_rule_label(const struct pass *p, const struct rule *rule, struct span marker)
{
    const struct replay *replay = p->replay;
    const struct policy *policy = replay->policy;
    struct label label = replay_rule_is_catalogue(p, rule)
                             ? replay->catalogue_labels[rule - policy->catalogue.items]
                             : replay->policy_labels[rule - policy->rules.items];
    if (!rule->own_marker)
        return label;
    if (!rule->party_count || !p->in->has_body ||
        !parties_read(replay->pool, p->in->body, rule->parties, rule->party_count, &label.readers))
        label.markers = set_add(replay->pool, label.markers, marker);
    return label;
}

struct span replay_server(const struct step *step)
{
    return step->server.len ? step->server : SPAN("host");
}

struct span replay_resource(const struct pass *p, struct span arguments, bool known)
{
    const struct rule *rule = known ? replay_rule(p, ASPECT_RESOURCE, 0, arguments, known) : NULL;
    if (!rule || !rule->resource_count)
        return SPAN_EMPTY;
    struct buf text = {0};
    bool named = true;
    buf_add(&text, replay_server(p->in->step));
    for (size_t i = 0; named && i < rule->resource_count; i++) {
        struct span value;
        buf_byte(&text, i ? '/' : ':');
        size_t before = text.len;
        named = jsonr_pointer(arguments, rule->resource[i], &value) && json_text(value, &text) &&
                text.len > before;
    }
    struct span marker = named ? arena_copy(&p->replay->scratch, buf_span(&text)) : SPAN_EMPTY;
    buf_finish(&text);
    return marker;
}

/* ---- what the user said ---- */

enum { PROMPT_MAX = 64 * 1024, PROMPTS_MAX = 4 << 20 };

void replay_prompt(struct replay *replay, int64_t n, enum naming naming, struct span text)
{
    size_t at = replay->prompt_count;
    while (at && replay->prompts[at - 1].n >= n)
        at--;
    if (at < replay->prompt_count && replay->prompts[at].n == n)
        return; /* it was replayed before */
    text = span_sub(text, 0, PROMPT_MAX);
    if (!replay->wants_prompts || replay->prompt_bytes + text.len > PROMPTS_MAX)
        return;
    replay->prompts = mem_one_more(replay->prompts, replay->prompt_count, &replay->prompt_size,
                                   sizeof *replay->prompts);
    memmove(&replay->prompts[at + 1], &replay->prompts[at],
            (replay->prompt_count - at) * sizeof(struct prompt));
    replay->prompts[at] = (struct prompt){n, naming, arena_copy(&replay->prompts_arena, text)};
    replay->prompt_count++;
    replay->prompt_bytes += text.len;
}

static bool word_byte(char c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
           (unsigned char)c >= 0x80;
}

static bool replay_same_letter(char a, char b)
{
    return ascii_lower(a) == ascii_lower(b);
}

/* How much of the text from `at` on says `what`; 0: it says something else. Addresses are the same
 * in either case of letters, and numbers of accounts and telephones are written with spaces and
 * hyphens in them. */
static size_t says_here(struct span text, size_t at, struct span what, bool number)
{
    size_t end = at, i = 0;
    while (i < what.len) {
        if (end < text.len && replay_same_letter(text.at[end], what.at[i])) {
            end++;
            i++;
        } else if (number && i && (what.at[i] == ' ' || what.at[i] == '-')) {
            i++;
        } else if (number && i && end < text.len && (text.at[end] == ' ' || text.at[end] == '-')) {
            end++;
        } else {
            return 0;
        }
    }
    return end - at;
}

static bool is_number(struct span what)
{
    enum { ACCOUNT_DIGITS = 7 };
    size_t digits = 0, others = 0;
    for (size_t i = 0; i < what.len; i++) {
        bool digit = ascii_is_digit(what.at[i]);
        digits += digit;
        others += !digit && !ascii_is_letter(what.at[i]) && !ascii_is_one_of(what.at[i], " -+()");
    }
    return digits >= ACCOUNT_DIGITS && !others;
}

/* A dot may end the sentence, also where the space behind it is missing (".They"), so that only a
 * name going on behind it is another name. */
static bool name_goes_on(struct span text, size_t end)
{
    if (end >= text.len)
        return false;
    if (text.at[end] != '.')
        return word_byte(text.at[end]) || text.at[end] == '-' || text.at[end] == '@';
    if (end + 1 >= text.len || !word_byte(text.at[end + 1]))
        return false;
    bool sentence = end && ascii_is_lower(text.at[end - 1]) && ascii_is_upper(text.at[end + 1]);
    return !sentence;
}

static bool text_names(struct span text, struct span what)
{
    bool number = is_number(what);
    for (size_t begin = 0; begin < text.len; begin++) {
        if (begin > 0 && (word_byte(text.at[begin - 1]) || text.at[begin - 1] == '.' ||
                          text.at[begin - 1] == '-'))
            continue;
        size_t length = says_here(text, begin, what, number), end = begin + length;
        if (length && !name_goes_on(text, end))
            return true;
    }
    return false;
}

/* The system's prompt is in force whatever was cleared. */
static bool prompts_name(const struct pass *p, struct span what, unsigned namings)
{
    const struct replay *replay = p->replay;
    if (what.len < 3) /* too short to be meant */
        return false;
    for (size_t i = 0; i < replay->prompt_count; i++) {
        const struct prompt *prompt = &replay->prompts[i];
        bool in_force = prompt->naming == NAMING_SYSTEM || prompt->n >= p->state->since;
        if ((namings & (1u << prompt->naming)) && prompt->n < p->in->step->n && in_force &&
            text_names(prompt->text, what))
            return true;
    }
    return false;
}

bool replay_prompt_names(const struct pass *p, struct span what)
{
    return prompts_name(p, what, 1u << NAMING_USER);
}

bool replay_prompt_names_reader(const struct pass *p, struct span reader)
{
    return prompts_name(p, reader,
                        1u << NAMING_USER | 1u << NAMING_SYSTEM | 1u << NAMING_DIRECTORY);
}

/* ---- what a step needs ---- */

bool replay_wants_body(const struct replay *replay, const struct step *step)
{
    if (replay->links)
        return true;
    switch (step->kind) {
    case STEP_TOOL_CALL:
        return (step->hints.defined && step->hints.read_only == TRI_TRUE &&
                step->hints.open_world == TRI_TRUE && replay->policy->hint_read_open) ||
               replay_plan((struct replay *)replay, step->server, step->tool)->call_wants_arguments;
    case STEP_ASSISTANT:
        return replay->policy->rendering;
    case STEP_PROMPT:
        return replay->wants_prompts;
    case STEP_TOOL_RESULT:
        return replay_plan((struct replay *)replay, step->server, step->tool)->result_wants_body;
    default:
        return false;
    }
}

bool replay_wants_call_body(const struct replay *replay, const struct step *step)
{
    return step->kind == STEP_TOOL_RESULT &&
           replay_plan((struct replay *)replay, step->server, step->tool)->result_wants_arguments;
}

/* ---- the step function ---- */

void replay_reason(struct pass *p, struct reason reason)
{
    struct replay_out *out = p->out;
    out->reasons = arena_one_more(&p->replay->scratch, out->reasons, out->reason_count,
                                  &p->replay->reason_size, sizeof *out->reasons);
    out->reasons[out->reason_count++] = reason;
}

/* Compaction keeps the label: the summary was made from all of it. Only an explicit clear begins a
 * new context. */
static void reset(struct pass *p)
{
    bool clear = span_is(p->in->step->tool, "clear");
    if (clear) {
        p->state->context = LABEL_PUBLIC;
        p->state->unclaimed = 0;
        p->state->first_untrusted = p->state->first_private = 0;
        p->state->since = p->in->step->n;
    }
    replay_reason(p, (struct reason){.rule = clear ? "reset.clear" : "reset.compaction",
                                     .label = p->state->context});
}

/* What the step says of addresses, and which it puts among those that are known. */
static void note_links(struct pass *p)
{
    const struct replay_input *in = p->in;
    struct links *links = p->replay->links;
    bool call = in->step->kind == STEP_TOOL_CALL, answer = in->step->kind == STEP_ASSISTANT;
    int64_t since = p->state->since;
    p->out->follows = in->follows;
    if (!links || !in->has_body)
        return;
    if (call)
        p->out->follows |= links_call_follows(links, in->step->n, since, in->body);
    if (answer)
        p->out->follows |= links_all_known(links, in->step->n, since, in->body);
    links_note(links, in->step->n, since, in->body, call || answer);
}

void replay_step(struct replay *replay, struct replay_state *state,
                 const struct replay_input *input, struct replay_out *out)
{
    const struct step *step = input->step;
    bool system;
    arena_reset(&replay->scratch);
    replay->reason_size = 0;
    *out = (struct replay_out){.before = state->context, .label = LABEL_PUBLIC};
    struct pass p = {.replay = replay,
                     .state = state,
                     .in = input,
                     .out = out,
                     .plan = replay_plan(replay, step->server, step->tool)};
    note_links(&p);
    switch (step->kind) {
    case STEP_PROMPT:
        system = span_is(step->tool, "system");
        replay_content(&p, system ? CONTENT_SYSTEM : CONTENT_USER);
        if (input->has_body)
            replay_prompt(replay, step->n, system ? NAMING_SYSTEM : NAMING_USER, input->body);
        break;
    case STEP_TOOL_RESULT:
        replay_content(&p, CONTENT_RESULT);
        replay_directory(&p);
        break;
    case STEP_DEFINITIONS:
        replay_content(&p, CONTENT_DEFINITION);
        break;
    case STEP_INSTRUCTIONS:
        replay_content(&p, CONTENT_INSTRUCTIONS);
        break;
    case STEP_RESOURCE:
        replay_content(&p, CONTENT_RESOURCE);
        break;
    case STEP_PROMPT_GET:
        replay_content(&p, CONTENT_PROMPT);
        break;
    case STEP_SAMPLING:
        replay_content(&p, CONTENT_SAMPLING);
        break;
    case STEP_TOOL_CALL:
        replay_call(&p);
        break;
    case STEP_ASSISTANT:
        replay_rendering(&p);
        break;
    case STEP_RESET:
        reset(&p);
        break;
    default: /* brings nothing in and asks for nothing */
        break;
    }
    out->after = state->context;
    out->unclaimed = state->unclaimed;
    out->first_untrusted = state->first_untrusted;
    out->first_private = state->first_private;
    if (out->verdict == VERDICT_DENY)
        state->calls_denied++;
    else if (out->verdict == VERDICT_ASK)
        state->calls_asked++;
}
