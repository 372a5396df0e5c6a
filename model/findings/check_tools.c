/* Tool definitions: changes, orders to the model, other servers' tools, hints against calls (TD,
 * AM). */

#include "base/ascii.h"
#include "base/hash.h"
#include "base/sha256.h"
#include "base/text.h"
#include "model/evidence/jcs.h"
#include "model/findings/check_internal.h"
#include "model/flow/match.h"

struct tool {
    struct span server, name;
    uint8_t digest[32];
    int64_t n;         /* where this definition was listed */
    bool needs_review; /* action-metadata */
    struct trust_hints hints;
};

struct server {
    struct span name;
    bool announced; /* list_changed came since the last listing */
    bool reconnected;
};

enum { TOOLS_MAX = 20000, SERVERS_MAX = 2000 };

struct tools {
    struct arena arena;
    struct jcs *jcs;
    struct tool *items;
    size_t count, size;
    uint32_t slots[4 * TOOLS_MAX]; /* index + 1 by hash of server and name */
    struct server *servers;
    size_t server_count, server_size;
    int64_t last_asked; /* the last elicitation */
};

void tools_destroy(struct tools *tools)
{
    if (!tools)
        return;
    arena_finish(&tools->arena);
    jcs_destroy(tools->jcs);
    mem_free(tools->items);
    mem_free(tools->servers);
    mem_free(tools);
}

static struct tools *tools_of(const struct look *look)
{
    struct checks *checks = look->checks;
    if (!checks->tools) {
        checks->tools = NEW(struct tools);
        checks->tools->jcs = jcs_create();
    }
    return checks->tools;
}

/* Where (server, name) is, or would be. */
static uint32_t *slot_find(struct tools *tools, struct span server, struct span name)
{
    uint64_t hash = hash_add(hash_next(HASH_BEGIN, server), name);
    for (size_t at = hash % COUNT_OF(tools->slots);; at = (at + 1) % COUNT_OF(tools->slots)) {
        uint32_t *slot = &tools->slots[at];
        if (!*slot || (span_equal(tools->items[*slot - 1].name, name) &&
                       span_equal(tools->items[*slot - 1].server, server)))
            return slot;
    }
}

static struct tool *tool_find(struct tools *tools, struct span server, struct span name)
{
    uint32_t slot = *slot_find(tools, server, name);
    return slot ? &tools->items[slot - 1] : NULL;
}

static struct tool *tool_add(struct tools *tools, struct span server, struct span name)
{
    if (tools->count == TOOLS_MAX)
        return NULL;
    uint32_t *slot = slot_find(tools, server, name);
    tools->items = mem_one_more(tools->items, tools->count, &tools->size, sizeof *tools->items);
    struct tool *tool = &tools->items[tools->count++];
    *tool = (struct tool){.server = arena_copy(&tools->arena, server),
                          .name = arena_copy(&tools->arena, name)};
    *slot = (uint32_t)tools->count;
    return tool;
}

static struct server *server_find(struct tools *tools, struct span name)
{
    for (size_t i = 0; i < tools->server_count; i++)
        if (span_equal(tools->servers[i].name, name))
            return &tools->servers[i];
    if (tools->server_count == SERVERS_MAX)
        return &tools->servers[SERVERS_MAX - 1];
    tools->servers = mem_one_more(tools->servers, tools->server_count, &tools->server_size,
                                  sizeof *tools->servers);
    tools->servers[tools->server_count] = (struct server){.name = arena_copy(&tools->arena, name)};
    return &tools->servers[tools->server_count++];
}

/* Of the canonical form, so that another order of members is no change. */
static void digest_definition(struct jcs *jcs, struct span definition, uint8_t digest[32])
{
    struct buf canonical = {0};
    struct jcs_report report;
    if (!jcs_canonicalize(jcs, definition, &canonical, &report))
        buf_add(&canonical, definition);
    sha256_of(buf_span(&canonical), digest);
    buf_finish(&canonical);
}

/* ---- orders ---- */

/* What a description of a tool has no reason to say, in lower case. */
static const struct {
    const char *words;
    int weight; /* 2 says it alone */
} check_tools_orders[] = {
    {"<important>", 2},
    {"<system", 2},
    {"<instructions", 2},
    {"<secret", 2},
    {"ignore previous", 2},
    {"ignore all previous", 2},
    {"ignore the previous", 2},
    {"disregard previous", 2},
    {"do not tell the user", 2},
    {"don't tell the user", 2},
    {"do not mention", 1},
    {"don't mention", 1},
    {"not mention this", 2},
    {"without telling the user", 2},
    {"must not be shown", 1},
    {"do not inform the user", 2},
    {"do not show", 1},
    {"not be shown to the user", 2},
    {"before using this tool", 2},
    {"before you use this tool", 2},
    {"before this tool is used", 2},
    {"before calling", 1},
    {"before any other tool", 2},
    {"when this tool is available", 2},
    {"instead of the", 1},
    {"the user need not", 2},
    {"user does not need to", 1},
    {"need not be told", 2},
    {"no need to mention", 2},
    {"keep this to yourself", 2},
    {"~/.ssh", 2},
    {"id_rsa", 2},
    {"mcp.json", 2},
    {".env", 1},
    {"side note", 1},
    {"sidenote", 1},
    {"read the file", 1},
    {"contents of the file", 1},
    {"file contents", 1},
    {"for the assistant", 1},
    {"the assistant must", 2},
    {"you must", 1},
    {"always call", 1},
    {"has to be sent to", 2},
    {"must be sent to", 2},
    {"send it to", 1},
    {"forward all", 1},
    {"change the recipient", 2},
    {"recipient", 1},
    {"bcc", 1},
    {"otherwise the", 1},
    {"or the application will crash", 2},
    {"all messages", 1},
    {"credentials", 1},
    {"api key", 1},
    {"password", 1},
};
enum { ORDERS_ENOUGH = 2, ORDERS_WEAK_ENOUGH = 4 };

static bool lower_finds(const struct buf *lower, const char *words)
{
    struct span text = {lower->len ? lower->at : "", lower->len};
    return span_find(text, span_of(words)) < text.len;
}

static void add_lower(struct buf *lower, struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_byte(lower, ascii_lower(text.at[i]));
    buf_byte(lower, '\n');
}

/* Strong words at once, weak ones only in company: most definitions say one or two of those. */
static bool gives_orders(const struct buf *lower, const char **which)
{
    int weak = 0;
    for (size_t i = 0; i < COUNT_OF(check_tools_orders); i++) {
        if (!lower_finds(lower, check_tools_orders[i].words))
            continue;
        *which = check_tools_orders[i].words;
        if (check_tools_orders[i].weight >= ORDERS_ENOUGH)
            return true;
        weak++;
    }
    return weak >= ORDERS_WEAK_ENOUGH;
}

/* ---- names of other servers' tools ---- */

static bool word_at(struct span text, size_t at, size_t len)
{
    bool before = at > 0 && ascii_is_alnum(text.at[at - 1]);
    size_t end = at + len;
    bool after = end < text.len && (ascii_is_alnum(text.at[end]) || text.at[end] == '_');
    return !before && !after;
}

/* Only names that nobody writes by chance: `send_message`, not `search`. */
static bool telling_name(struct span name)
{
    bool mixed = span_find_byte(name, '_') < name.len || span_find_byte(name, '-') < name.len;
    for (size_t i = 1; i < name.len && !mixed; i++)
        mixed = ascii_is_lower(name.at[i - 1]) && ascii_is_upper(name.at[i]);
    return mixed && name.len >= 6;
}

enum { NAMES_TEXT = 16384, NAMES_TOOLS = 2000 }; /* many tools in long texts cost their product */

static const struct tool *names_other(const struct tools *tools, struct span server,
                                      struct span text)
{
    text = span_sub(text, 0, NAMES_TEXT);
    for (size_t i = 0; i < tools->count && i < NAMES_TOOLS; i++) {
        const struct tool *other = &tools->items[i];
        if (span_equal(other->server, server) || !telling_name(other->name))
            continue;
        size_t at = span_find(text, other->name);
        if (at < text.len && word_at(text, at, other->name.len))
            return other;
    }
    return NULL;
}

/* ---- one definition ---- */

static struct finding_evidence at_tool(const struct look *look, size_t index, struct span raw)
{
    struct finding_evidence here =
        evidence_here(look, span_of(arena_printf(&look->checks->scratch, "/tools/%zu", index)));
    struct span body;
    if (look_body(look, &body) && raw.at >= body.at) {
        here.offset = (uint64_t)(raw.at - body.at);
        here.length = raw.len;
    }
    return here;
}

static void compare_definition(const struct look *look, const struct tool *old,
                               const struct finding_evidence *here, const char *name)
{
    struct server *server = server_find(tools_of(look), look->step->server);
    struct finding_evidence evidence[2] = {*here, {.n = old->n, .pointer = SPAN_EMPTY}};
    if (server->announced || server->reconnected)
        finding_add(look, CODE_TD01, SEVERITY_DEFAULT, evidence, 2,
                    "the definition of %s is not the one of step %lld%s", name, (long long)old->n,
                    server->announced ? "; the change was announced"
                                      : "; the server was reconnected");
    else
        finding_add(look, CODE_AM02, SEVERITY_DEFAULT, evidence, 2,
                    "the definition of %s is not the one of step %lld, and no list_changed came "
                    "between",
                    name, (long long)old->n);
}

static void look_at_text(const struct look *look, struct span raw,
                         const struct finding_evidence *here, const char *name)
{
    struct strings strings = {0};
    struct buf lower = {0}, plain = {0}, safe = {0};
    const char *which = NULL;
    strings_read(&strings, raw, &look->checks->scratch);
    for (size_t i = 0; i < strings.count; i++) {
        add_lower(&lower, strings.items[i].text);
        buf_add(&plain, strings.items[i].text);
        buf_byte(&plain, '\n');
    }
    bool orders_given = gives_orders(&lower, &which);
    const struct tool *other = names_other(tools_of(look), look->step->server, buf_span(&plain));
    if (orders_given)
        finding_add(look, CODE_TD03, SEVERITY_DEFAULT, here, 1,
                    "the definition of %s speaks to the model: \"%s\"", name, which);
    if (other) {
        text_safe(&safe, span_sub(other->server, 0, 60));
        buf_byte(&safe, '.');
        text_safe(&safe, span_sub(other->name, 0, 100));
        finding_add(look, CODE_TD04, orders_given ? SEVERITY_HIGH : SEVERITY_MEDIUM, here, 1,
                    "the definition of %s names another server's tool, %s", name, buf_cstr(&safe));
    }
    strings_finish(&strings);
    buf_finish(&lower);
    buf_finish(&plain);
    buf_finish(&safe);
}

static bool review_required(struct span definition)
{
    struct span value;
    return (jsonr_pointer(definition,
                          SPAN("/_meta/io.modelcontextprotocol~1action-metadata/requiresReview"),
                          &value) ||
            jsonr_pointer(definition,
                          SPAN("/_meta/io.modelcontextprotocol~1action-metadata/requires_review"),
                          &value)) &&
           jsonr_type(value) == JSONR_TRUE;
}

/* A word, {"regulated": …}, or a list of them. */
static enum sensitivity sensitivity_of(struct span value)
{
    static const char *const words[] = {
        [SENSITIVITY_NONE] = "none",
        [SENSITIVITY_USER] = "user",
        [SENSITIVITY_PII] = "pii",
        [SENSITIVITY_FINANCIAL] = "financial",
        [SENSITIVITY_CREDENTIALS] = "credentials",
    };
    struct span regulated;
    if (jsonr_is_object(value) && jsonr_member(value, "regulated", &regulated))
        return SENSITIVITY_REGULATED;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (jsonr_string_is(value, words[i]))
            return (enum sensitivity)i;
    return SENSITIVITY_NONE;
}

static void take_sensitivity(struct trust_hints *hints, struct span value)
{
    enum sensitivity one = sensitivity_of(value);
    hints->regulated |= one == SENSITIVITY_REGULATED;
    if (one > hints->sensitivity)
        hints->sensitivity = one;
}

static struct trust_hints trust_hints_of(struct span definition)
{
    static const char *const metadata[] = {"/annotations/inputMetadata/sensitivity",
                                           "/annotations/returnMetadata/sensitivity"};
    struct trust_hints hints = {0};
    struct span value;
    struct jsonr_items items;
    hints.malicious =
        jsonr_pointer(definition, SPAN("/annotations/maliciousActivityHint"), &value) &&
        span_is(value, "true");
    hints.destructive = jsonr_pointer(definition, SPAN("/annotations/destructiveHint"), &value) &&
                        span_is(value, "true");
    for (size_t i = 0; i < COUNT_OF(metadata); i++) {
        if (!jsonr_pointer(definition, span_of(metadata[i]), &value))
            continue;
        if (jsonr_is_array(value))
            for (jsonr_items_init(&items, value); jsonr_items_next(&items);)
                take_sensitivity(&hints, items.value);
        else
            take_sensitivity(&hints, value);
    }
    return hints;
}

struct trust_hints tool_trust_hints(const struct look *look)
{
    const struct tool *tool = tool_find(tools_of(look), look->step->server, look->step->tool);
    return tool ? tool->hints : (struct trust_hints){0};
}

static void look_at_definition(const struct look *look, struct span raw, size_t index)
{
    struct tools *tools = tools_of(look);
    struct span value;
    struct buf name = {0}, safe = {0};
    if (!jsonr_is_object(raw) || !jsonr_member(raw, "name", &value) ||
        !jsonr_string(value, &name, NULL)) {
        buf_finish(&name);
        return;
    }
    uint8_t digest[32];
    struct finding_evidence here = at_tool(look, index, raw);
    struct tool *tool = tool_find(tools, look->step->server, buf_span(&name));
    text_safe(&safe, span_sub(buf_span(&name), 0, 100));
    digest_definition(tools->jcs, raw, digest);
    bool changed = tool && memcmp(tool->digest, digest, sizeof digest) != 0;
    if (changed)
        compare_definition(look, tool, &here, buf_cstr(&safe));
    if (!tool || changed)
        look_at_text(look, raw, &here, buf_cstr(&safe));
    if (!tool)
        tool = tool_add(tools, look->step->server, buf_span(&name));
    if (tool) {
        memcpy(tool->digest, digest, sizeof digest);
        tool->n = look->step->n;
        tool->needs_review = review_required(raw);
        tool->hints = trust_hints_of(raw);
    }
    buf_finish(&name);
    buf_finish(&safe);
}

static void look_at_listing(const struct look *look)
{
    struct span body, list;
    struct jsonr_items items;
    size_t index = 0;
    if (!look_body(look, &body))
        return;
    if (!jsonr_member(body, "tools", &list))
        list = jsonr_is_array(span_trim(body)) ? span_trim(body) : SPAN_EMPTY;
    if (!jsonr_is_array(list))
        return;
    for (jsonr_items_init(&items, list); jsonr_items_next(&items); index++)
        look_at_definition(look, items.value, index);
    struct server *server = server_find(tools_of(look), look->step->server);
    server->announced = server->reconnected = false;
}

/* ---- calls ---- */

static bool contains_nocase(struct span text, struct span words)
{
    for (size_t i = 0; i + words.len <= text.len; i++)
        if (span_equal_nocase(span_sub(text, i, words.len), words))
            return true;
    return false;
}

/* SQL that writes, rather than prose: it begins with what changes something, or with what may stand
 * before that and has it further on. */
static bool writes(struct span text)
{
    static const char *const verbs[] = {"insert into", "update ",   "delete from",  "drop ",
                                        "alter ",      "truncate ", "create table", "grant "};
    static const char *const leads[] = {"select ", "with ", "explain ", "begin", "--", "/*"};
    static const char *const later[] = {"insert into ", "delete from ",   "drop table ",
                                        "alter table ", "truncate table", "create table "};
    struct span trimmed = span_trim(text);
    bool statement = false, led = false;
    for (size_t i = 0; i < COUNT_OF(verbs) && !statement; i++)
        statement = span_equal_nocase(span_sub(trimmed, 0, strlen(verbs[i])), span_of(verbs[i]));
    for (size_t i = 0; i < COUNT_OF(leads) && !led && !statement; i++)
        led = span_equal_nocase(span_sub(trimmed, 0, strlen(leads[i])), span_of(leads[i]));
    for (size_t i = 0; led && i < COUNT_OF(later) && !statement; i++)
        statement = contains_nocase(trimmed, span_of(later[i]));
    const char *kind = statement ? sql_kind(trimmed) : NULL;
    return kind && strcmp(kind, "write") == 0;
}

/* A tool that says it only reads, and a call that by its arguments writes. */
static void look_at_hints(struct look *look)
{
    const struct hints *hints = &look->step->hints;
    if (!hints->defined || hints->read_only != TRI_TRUE)
        return;
    const struct strings *strings = look_strings(look);
    for (size_t i = 0; i < strings->count; i++) {
        struct span text = strings->items[i].text;
        if (!writes(text))
            continue;
        struct finding_evidence here = evidence_in(look, &strings->items[i], 0, text.len);
        look->contradicts = true;
        finding_add(look, CODE_TD05, SEVERITY_DEFAULT, &here, 1,
                    "the tool says that it only reads (readOnlyHint), and this call writes");
        return;
    }
}

static void look_at_review(const struct look *look)
{
    const struct tool *tool = tool_find(tools_of(look), look->step->server, look->step->tool);
    if (!tool || !tool->needs_review || look->step->outcome == OUTCOME_REFUSED ||
        look->step->approved || tools_of(look)->last_asked)
        return;
    struct finding_evidence evidence[2] = {evidence_here(look, SPAN_EMPTY),
                                           {.n = tool->n, .pointer = SPAN_EMPTY}};
    finding_add(look, CODE_AM01, SEVERITY_DEFAULT, evidence, 2,
                "the definition of this tool (step %lld) requires a review, and none is recorded",
                (long long)tool->n);
}

void check_tools(struct look *look)
{
    const struct step *step = look->step;
    switch (step->kind) {
    case STEP_DEFINITIONS:
        look_at_listing(look);
        break;
    case STEP_NOTIFICATION:
        if (span_ends_with(step->tool, SPAN("tools/list_changed")))
            server_find(tools_of(look), step->server)->announced = true;
        break;
    case STEP_CONNECTION:
        server_find(tools_of(look), step->server)->reconnected = true;
        break;
    case STEP_ELICITATION:
        tools_of(look)->last_asked = step->n;
        break;
    case STEP_TOOL_CALL:
        look_at_hints(look);
        look_at_review(look);
        tools_of(look)->last_asked = 0;
        break;
    default:
        break;
    }
}
