/* Replay: model.md §3–§5, a case a sentence. Each line of a script is a step and what the replay
 * must say of it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/flow/replay.h"
#include "tests/unit/hints_support.h"

/* A line leaves out what it doesn't need. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Hints of a definition, as letters: r/w readOnlyHint true/false, o/c openWorldHint true/false;
 * "" no definition, "-" a definition without hints. */
struct line {
    enum step_kind kind;
    const char *server, *tool, *hints, *body;
    const char *says;                    /* expected; NULL: not compared */
    const char *verdict, *type, *record; /* of an evidence reference */
    const char *child;                   /* final label of a sub-agent */
};

#define CALL           STEP_TOOL_CALL
#define RESULT         STEP_TOOL_RESULT
#define TRUST(members) "{\"_meta\": {\"io.modelcontextprotocol/trust-annotations\": {" members "}}}"
#define IFC(i, c)      "{\"_meta\": {\"ifc\": {\"integrity\": \"" i "\", \"confidentiality\": " c "}}}"
#define PLAIN          "{\"content\": []}"

enum { LINES = 12 };
struct script {
    const char *sentence; /* of the model */
    const char *policy;   /* name of a built-in, or members of a policy that extends additive */
    struct line lines[LINES];
};

static struct policy *policy_of(const char *text)
{
    struct err err = {0};
    struct buf full = {0};
    struct policy *policy;
    if (strchr(text, ':')) {
        buf_addf(&full, "{\"schema\": \"strandline/policy/1\", \"extends\": \"additive\", %s}",
                 text);
        policy = policy_parse(buf_span(&full), "test", &err);
    } else {
        policy = policy_load(text, &err);
    }
    buf_finish(&full);
    cr_assert(policy, "%s: %s; %s", err.where, err.what, err.todo);
    return policy;
}

/* Content: "origin label > context u<unclaimed>". Calls: "roles origin audience verdict T F". */
static void describe(struct buf *out, const struct label_pool *pool, const struct replay_out *o)
{
    static const char *const roles[] = {"none", "consequential", "egress", "both"};
    if (o->has_label) {
        buf_addf(out, "%s ", label_origin_word(o->origin));
        label_text(out, pool, o->label);
        buf_puts(out, " > ");
        label_text(out, pool, o->after);
        buf_addf(out, " u%d", (int)o->unclaimed);
    } else if (o->verdict) {
        buf_addf(out, "%s %s %.*s%s %s %s %s", roles[o->role], role_origin_word(o->role_origin),
                 SPAN_ARG(o->audience), o->audience_assumed && o->audience.len ? "?" : "",
                 verdict_word(o->verdict), verdict_word(o->trusted_action),
                 verdict_word(o->permitted_flow));
    } else {
        label_text(out, pool, o->after);
    }
}

/* One line, as a step at n; `follows` as an earlier replay said it. */
static void play(struct replay *replay, struct label_pool *pool, struct replay_state *state,
                 const struct line *lines, int64_t n, bool follows, struct replay_out *out,
                 struct arena *arena)
{
    const struct line *line = &lines[n - 1];
    struct step step = {.id = n,
                        .session = 1,
                        .n = n,
                        .kind = line->kind,
                        .server = span_of(line->server),
                        .tool = span_of(line->tool),
                        .hints = hints_of(line->hints)};
    struct claims claims = {0};
    struct span call = SPAN_EMPTY;
    for (int64_t i = n - 1; line->kind == RESULT && i > 0 && !call.len; i--)
        if (lines[i - 1].kind == CALL && span_is(step.tool, lines[i - 1].tool)) {
            call = span_of(lines[i - 1].body);
            step.call_n = i;
        }
    if (line->kind != CALL && line->body)
        claims_find(span_of(line->body), arena, &claims);
    struct evidence_input evidence = {.block = -1,
                                      .verdict = line->verdict,
                                      .type = span_of(line->type),
                                      .record = span_of(line->record)};
    struct replay_input input = {
        .step = &step,
        .claims = claims.items,
        .claim_count = claims.count,
        .evidence = &evidence,
        .evidence_count = line->verdict != NULL,
        .body = span_of(line->body),
        .has_body = line->body != NULL,
        .call_body = call,
        .has_call_body = call.len > 0,
        .has_child = line->child != NULL,
        .follows = follows,
    };
    if (line->child)
        cr_assert(label_parse(pool, span_of(line->child), &input.child_label));
    replay_step(replay, state, &input, out);
}

static void run(const struct script *script)
{
    struct policy *policy = policy_of(script->policy);
    struct label_pool *pool = label_pool_create();
    struct replay *replay = replay_create(policy, pool);
    struct arena arena = {0};
    struct replay_state state, kept[LINES + 1];
    bool follows[LINES] = {false}, names[LINES] = {false};
    struct buf said[LINES] = {0};
    replay_start(&state);
    int64_t count = 0;
    for (; count < LINES && (script->lines[count].body || script->lines[count].kind == STEP_RESET ||
                             script->lines[count].child);
         count++) {
        struct replay_out out;
        struct buf sentence = {0};
        kept[count] = state;
        play(replay, pool, &state, script->lines, count + 1, false, &out, &arena);
        follows[count] = out.follows;
        names[count] = out.names;
        describe(&said[count], pool, &out);
        const char *expected = script->lines[count].says;
        if (expected)
            cr_expect_str_eq(buf_cstr(&said[count]), expected,
                             "%s (%s), line %d\n  is        %s\n  should be %s", script->sentence,
                             script->policy, (int)count + 1, buf_cstr(&said[count]), expected);
        struct step step = {.kind = script->lines[count].kind};
        replay_sentence(&sentence, pool, &step, &out);
        cr_expect(sentence.len > 20 && sentence.at[sentence.len - 1] == '.', "%s",
                  buf_cstr(&sentence));
        buf_finish(&sentence);
    }
    /* From any kept state the rest is the same as from the start, on a fresh replay as well. */
    struct replay *fresh = replay_create(policy, pool);
    for (int64_t from = 0; from < count; from++) {
        for (int pass = 0; pass < 2; pass++) {
            struct replay *r = pass ? fresh : replay;
            for (int64_t i = 0; pass && i < from; i++)
                if (script->lines[i].kind == STEP_PROMPT || names[i])
                    replay_prompt(r, i + 1,
                                  names[i]                                       ? NAMING_DIRECTORY
                                  : strcmp(script->lines[i].tool, "system") == 0 ? NAMING_SYSTEM
                                                                                 : NAMING_USER,
                                  span_of(script->lines[i].body));
            state = kept[from];
            for (int64_t i = from; i < count; i++) {
                struct replay_out out;
                struct buf again = {0};
                play(r, pool, &state, script->lines, i + 1, follows[i], &out, &arena);
                describe(&again, pool, &out);
                cr_expect_str_eq(buf_cstr(&again), buf_cstr(&said[i]), "%s: from %d, line %d",
                                 script->sentence, (int)from + 1, (int)i + 1);
                buf_finish(&again);
            }
        }
    }
    for (int64_t i = 0; i < count; i++)
        buf_finish(&said[i]);
    replay_destroy(fresh);
    replay_destroy(replay);
    label_pool_destroy(pool);
    policy_destroy(policy);
    arena_finish(&arena);
}

static const struct script from_wire[] = {
    {"untrusted: true → untrusted; the context joins",
     "additive",
     {
         {RESULT, "a", "t", "", TRUST("\"untrusted\": true"),
          "claimed untrusted, public > untrusted, public u0"},
         {RESULT, "a", "t", "", TRUST("\"sensitive\": true"),
          "claimed trusted, private (a#2) > untrusted, private (a#2) u0"},
         {RESULT, "a", "t", "", TRUST("\"sensitive\": true"),
          "claimed trusted, private (a#3) > untrusted, private (a#2, a#3) u0"},
     }},
    {"false contributes nothing, but is a claim",
     "additive",
     {
         {RESULT, "a", "t", "", TRUST("\"untrusted\": false, \"sensitive\": false"),
          "claimed trusted, public > trusted, public u0"},
     }},
    {"no claim is not a claim of false: it is counted",
     "additive",
     {
         {RESULT, "a", "t", "", PLAIN, "none trusted, public > trusted, public u1"},
         {RESULT, "a", "t", "", "plain text", "none trusted, public > trusted, public u2"},
         {RESULT, "a", "t", "", TRUST(""), "none trusted, public > trusted, public u3"},
         {STEP_DEFINITIONS, "a", "", "", "{\"tools\": []}",
          "none trusted, public > trusted, public u3"},
         {STEP_RESOURCE, "a", "file:///x", "", "{\"contents\": []}",
          "none trusted, public > trusted, public u4"},
     }},
    {"a block may only strengthen",
     "additive",
     {
         {RESULT, "a", "t", "",
          "{\"_meta\": {\"io.modelcontextprotocol/trust-annotations\": {\"untrusted\": true}}, "
          "\"content\": [{\"_meta\": {\"io.modelcontextprotocol/trust-annotations\": {\"untrusted\": "
          "false, \"sensitive\": true}}}]}",
          "claimed untrusted, private (a#1) > untrusted, private (a#1) u0"},
     }},
    {"the label of a record that re-derives",
     "additive",
     {
         {RESULT, "a", "t", "", TRUST("\"untrusted\": true"),
          "verified untrusted, readers al, bob > untrusted, readers al, bob u0", "recomputed",
          "ifc.fides.v1", "{\"integrity\": \"trusted\", \"confidentiality\": [\"bob\", \"al\"]}"},
         {RESULT, "a", "t", "", TRUST("\"sensitive\": true"),
          "verified trusted, private (a#2), confidential [hipaa] > untrusted, private (a#2), readers "
          "al, bob, confidential [hipaa] u0",
          "recomputed", "data-class.v1",
          "{\"class\": \"confidential\", \"regulatory\": [\"hipaa\"]}"},
     }},
    {"data-class public contributes its tag only",
     "additive",
     {
         {RESULT, "a", "t", "", TRUST(""),
          "verified trusted, public, public > trusted, public, "
          "public u0",
          "recomputed", "data-class.v1", "{\"class\": \"public\"}"},
     }},
    {"any other type contributes nothing",
     "additive",
     {
         {RESULT, "a", "t", "", TRUST("\"untrusted\": true"),
          "claimed untrusted, public > untrusted, public u0", "recomputed", "sequence", "{}"},
         {RESULT, "a", "t", "", PLAIN, "none trusted, public > untrusted, public u1", "recomputed",
          "policy-decision", "{}"},
         {RESULT, "a", "t", "", PLAIN, "none trusted, public > untrusted, public u2",
          "digest_mismatch", "sequence", ""},
     }},
    {"a record that is not held says nothing",
     "additive",
     {
         {RESULT, "a", "t", "", PLAIN, "none trusted, public > trusted, public u1",
          "unresolved_ref", "ifc.fides.v1", ""},
     }},
    {"a record whose digest doesn't match never relaxes",
     "additive",
     {
         {RESULT, "a", "t", "", TRUST("\"untrusted\": false"),
          "claimed untrusted, private (a#1) > untrusted, private (a#1) u0", "digest_mismatch",
          "ifc.fides.v1", ""},
     }},
    {"malformed: closed, each axis by itself",
     "additive",
     {
         {RESULT, "a", "t", "", TRUST("\"untrusted\": \"yes\""),
          "assumed untrusted, public > untrusted, public u0"},
         {RESULT, "a", "t", "", IFC("trusted", "\"secret\""),
          "claimed trusted, private (a#2) > untrusted, private (a#2) u0"},
     }},
    {"malformed: ignore is a setting",
     "\"malformed\": \"ignore\"",
     {
         {RESULT, "a", "t", "", TRUST("\"untrusted\": \"yes\""),
          "none trusted, public > trusted, public u1"},
     }},
    {"the assumption still applies to a malformed label",
     "\"unlabelled\": \"untrusted\"",
     {
         {RESULT, "a", "t", "", TRUST("\"sensitive\": 1"),
          "assumed untrusted, private (a#1) > untrusted, private (a#1) u0"},
     }},
    {"_meta.ifc",
     "additive",
     {
         {RESULT, "a", "t", "", IFC("untrusted", "\"private\""),
          "claimed untrusted, private (a#1) > untrusted, private (a#1) u0"},
         {RESULT, "a", "t", "", IFC("trusted", "[\"public\"]"),
          "claimed trusted, public > untrusted, private (a#1) u0"},
         {RESULT, "a", "t", "", IFC("trusted", "[]"),
          "claimed trusted, readable by nobody > untrusted, private (a#1), readable by nobody u0"},
     }},
    {"no reader lists under strict",
     "strict",
     {
         {RESULT, "a", "t", "", IFC("trusted", "[\"al\"]"),
          "claimed trusted, private (a#1) > trusted, private (a#1) u0"},
     }},
    {"SEP-1913",
     "additive",
     {
         {RESULT, "a", "t", "", "{\"annotations\": {\"openWorldHint\": true}}",
          "claimed untrusted, public > untrusted, public u0"},
         {RESULT, "a", "t", "", "{\"_meta\": {\"annotations\": {\"sensitivity\": \"medical\"}}}",
          "claimed trusted, private (a#2), class medical > untrusted, private (a#2), class medical "
          "u0"},
     }},
    {"a claim inside data says nothing",
     "additive",
     {
         {RESULT, "a", "t", "",
          "{\"structuredContent\": {\"_meta\": {\"io.modelcontextprotocol/trust-annotations\": "
          "{\"untrusted\": true}}}}",
          "none trusted, public > trusted, public u1"},
     }},
    {"a resource's own slot counts, and its URI names it",
     "additive",
     {
         {STEP_RESOURCE, "a", "file:///x", "",
          "{\"contents\": [{\"_meta\": {\"io.modelcontextprotocol/trust-annotations\": "
          "{\"sensitive\": true}}}]}",
          "claimed trusted, private (a:file:///x) > trusted, private (a:file:///x) u0"},
     }},
    {"a resource rule names the marker; the same one twice is itself",
     "\"rules\": [{\"server\": \"g*\", \"resource\": [\"/owner\", \"/repo\"]}]",
     {
         {CALL, "gh", "read", "r", "{\"owner\": \"acme\", \"repo\": \"pay\"}", NULL},
         {RESULT, "gh", "read", "r", TRUST("\"sensitive\": true"),
          "claimed trusted, private (gh:acme/pay) > trusted, private (gh:acme/pay) u0"},
         {RESULT, "gh", "read", "r", TRUST("\"sensitive\": true"),
          "claimed trusted, private (gh:acme/pay) > trusted, private (gh:acme/pay) u0"},
         {CALL, "gh", "search", "r", "{\"q\": \"x\"}", NULL},
         {RESULT, "gh", "search", "r", TRUST("\"sensitive\": true"),
          "claimed trusted, private (gh#5) > trusted, private (gh#5, gh:acme/pay) u0"},
     }},
    {"assumptions in order: rule, catalogue, unlabelled",
     "\"unlabelled\": \"untrusted\", \"rules\": [{\"server\": \"a\", \"tool\": \"in\", \"label\": "
     "\"trusted\"}, {\"tool\": \"q\", \"when\": {\"pointer\": \"/db\", \"is\": \"hr\"}, \"label\": "
     "\"private\"}]",
     {
         {RESULT, "a", "in", "", PLAIN, "assumed trusted, public > trusted, public u0"},
         {CALL, "a", "q", "r", "{\"db\": \"hr\"}", NULL},
         {RESULT, "a", "q", "", PLAIN,
          "assumed trusted, private (a#3) > trusted, private (a#3) u0"},
         {RESULT, "b", "out", "", PLAIN, "assumed untrusted, public > untrusted, private (a#3) u0"},
         {RESULT, "a", "in", "", TRUST("\"untrusted\": true"),
          "claimed untrusted, public > untrusted, private (a#3) u0"},
     }},
    {"hints make a call or a result less only where the server is trusted",
     "\"trusted_servers\": \"g*\", \"unlabelled\": \"by-hint-or-untrusted\"",
     {
         {CALL, "gh", "t", "r", "{}", "none hint  allow allow allow"},
         {CALL, "q", "t", "r", "{}", "both assumed public? allow allow allow"},
         {RESULT, "gh", "t", "c", "{}", "assumed trusted, public > trusted, public u0"},
         {RESULT, "q", "t", "c", "{}", "assumed untrusted, public > untrusted, public u0"},
     }},
    {"by-hint: openWorldHint true → untrusted",
     "\"unlabelled\": \"by-hint\"",
     {
         {RESULT, "a", "t", "r", PLAIN, "none trusted, public > trusted, public u1"},
         {RESULT, "a", "t", "c", PLAIN, "assumed trusted, public > trusted, public u1"},
         {RESULT, "a", "t", "o", PLAIN, "assumed untrusted, public > untrusted, public u1"},
     }},
    {"agent-framework: no hint is untrusted, blocks are not looked at",
     "agent-framework",
     {
         {RESULT, "a", "t", "c",
          "{\"content\": [{\"_meta\": "
          "{\"io.modelcontextprotocol/trust-annotations\": {\"sensitive\": true}}}]}",
          "assumed trusted, public > trusted, public u0"},
         {RESULT, "a", "t", "", PLAIN, "assumed untrusted, public > untrusted, public u0"},
     }},
    {"an open axis: accepted by default, filled by setting",
     "\"unlabelled\": \"untrusted\"",
     {
         {RESULT, "a", "t", "", TRUST("\"sensitive\": true"),
          "claimed trusted, private (a#1) > trusted, private (a#1) u0"},
     }},
    {"an open axis: filled",
     "\"unlabelled\": \"untrusted\", \"partial\": \"fill\"",
     {
         {RESULT, "a", "t", "", TRUST("\"sensitive\": true"),
          "claimed untrusted, private (a#1) > untrusted, private (a#1) u0"},
         {RESULT, "a", "t", "", TRUST("\"untrusted\": false"),
          "claimed trusted, public > untrusted, private (a#1) u0"},
     }},
    {"prompts are trusted and public unless a rule says otherwise",
     "\"rules\": [{\"kind\": \"system\", \"label\": \"private\"}]",
     {
         {STEP_PROMPT, "", "", "", "hello", "none trusted, public > trusted, public u0"},
         {STEP_PROMPT, "", "system", "", "you are",
          "assumed trusted, private (host#2) > trusted, private (host#2) u0"},
     }},
    {"definitions, instructions, prompts are content of their kind",
     "\"rules\": [{\"server\": \"x\", \"kind\": [\"definition\", \"instructions\", \"prompt\"], "
     "\"label\": \"untrusted\"}]",
     {
         {STEP_DEFINITIONS, "y", "", "", "{}", "none trusted, public > trusted, public u0"},
         {STEP_PROMPT_GET, "y", "p", "", "{}", "none trusted, public > trusted, public u1"},
         {RESULT, "x", "t", "", "{}", "none trusted, public > trusted, public u2"},
         {STEP_DEFINITIONS, "x", "", "", "{}", "assumed untrusted, public > untrusted, public u2"},
     }},
    {"a sub-agent's answer carries its final label",
     "additive",
     {
         {CALL, "", "Task", "", "{}", NULL},
         {RESULT, "", "Task", "", "done",
          "assumed untrusted, private (gh#1.7, gh:acme/pay) > untrusted, private (gh#1.7, "
          "gh:acme/pay) u0",
          .child = "untrusted, private:gh#7+gh:acme/pay"},
     }},
    {"compaction keeps the label, a clear begins a new context",
     "additive",
     {
         {RESULT, "a", "t", "", TRUST("\"untrusted\": true"), NULL},
         {STEP_RESET, "", "compact", "", "summary", "untrusted, public"},
         {RESULT, "a", "t", "", PLAIN, "none trusted, public > untrusted, public u1"},
         {STEP_RESET, "", "clear", "", "", "trusted, public"},
         {RESULT, "a", "t", "", PLAIN, "none trusted, public > trusted, public u1"},
     }},
    {"data classes from a threshold",
     "\"private_from\": \"confidential\"",
     {
         {RESULT, "a", "t", "", PLAIN,
          "verified trusted, public, personal > trusted, public, personal u0", "recomputed",
          "data-class.v1", "{\"class\": \"personal\"}"},
         {RESULT, "a", "t", "", PLAIN,
          "verified trusted, private (a#2), class odd > trusted, private (a#2), personal, class odd "
          "u0",
          "recomputed", "data-class.v1", "{\"class\": \"odd\"}"},
     }},
};

#define TAINT                                                                                      \
    {                                                                                              \
        RESULT, "s", "t", "", TRUST("\"untrusted\": true"), NULL                                   \
    }
#define PRIVATE                                                                                    \
    {                                                                                              \
        RESULT, "s", "t", "", TRUST("\"sensitive\": true"), NULL                                   \
    }
#define READERS                                                                                    \
    {                                                                                              \
        RESULT, "s", "t", "", IFC("trusted", "[\"al@x\", \"bob@x\"]"), NULL                        \
    }

static const struct script verdicts[] = {
    {"a host's shell: what runs decides, however the command is written",
     "fides",
     {
         {CALL, "", "Bash", "", "{\"command\": \"git status\"}",
          "none catalogue  allow allow allow"},
         {CALL, "", "Bash", "", "{\"command\": \"ls\\nrm x\"}",
          "consequential catalogue  allow allow allow"},
         {CALL, "", "bash", "", "{\"command\": \"find . -delete\"}",
          "consequential catalogue  allow allow allow"},
         {CALL, "", "shell", "", "{\"command\": [\"rm\", \"-rf\", \"ls\"]}",
          "consequential catalogue  allow allow allow"},
         {CALL, "", "shell", "", "{\"command\": [\"bash\", \"-lc\", \"ls -l\"]}",
          "none catalogue  allow allow allow"},
         {CALL, "", "shell", "", "{\"command\": [\"bash\", \"-lc\", \"ls -l > x\"]}",
          "consequential catalogue  allow allow allow"},
         {CALL, "", "shell", "", "{\"command\": [\"/usr/bin/curl\", \"x\"]}",
          "both catalogue public? allow allow allow"},
         {CALL, "", "exec_command", "", "{\"cmd\": \"curl x\"}",
          "both catalogue public? allow allow allow"},
     }},
    {"what a name begins with says more than what it holds",
     "fides",
     {
         {CALL, "slack", "conversations_add_message", "", "{}",
          "both catalogue public? allow allow allow"},
         {CALL, "slack", "conversations_history", "", "{}", "none catalogue  allow allow allow"},
         {CALL, "discord", "create_thread_message", "", "{}",
          "both catalogue public? allow allow allow"},
         {CALL, "trello", "add_card_to_list", "", "{}", "both catalogue public? allow allow allow"},
         {CALL, "trello", "get_cards_by_list_id", "", "{}", "none catalogue  allow allow allow"},
         {CALL, "notion", "notion-create-pages", "", "{}",
          "both catalogue public? allow allow allow"},
         {CALL, "notion", "notion-search", "", "{}", "none catalogue  allow allow allow"},
         {CALL, "mongo", "findOneAndDelete", "", "{}", "both catalogue public? allow allow allow"},
         {CALL, "mongo", "find", "", "{}", "none catalogue  allow allow allow"},
     }},
    {"and so for mail and tasks",
     "fides",
     {
         {CALL, "gmail", "create_mailing_list", "", "{}",
          "consequential catalogue  allow allow allow"},
         {CALL, "gmail", "mark_as_read", "", "{}", "consequential catalogue  allow allow allow"},
         {CALL, "gmail", "search_emails", "", "{}", "none catalogue  allow allow allow"},
         {CALL, "gmail", "send_email", "", "{}", "both catalogue public? allow allow allow"},
         {CALL, "jira", "jira_update_issue_type", "", "{}",
          "both catalogue public? allow allow allow"},
         {CALL, "jira", "jira_get_issue", "", "{}", "none catalogue  allow allow allow"},
         {CALL, "asana", "create_spreadsheet", "", "{}",
          "both catalogue public? allow allow allow"},
         {CALL, "slack", "users_info", "", "{}", "none catalogue  allow allow allow"},
     }},
    {"roles by hints",
     "additive",
     {
         {CALL, "q", "t", "r", "{}", "none hint  allow allow allow"},
         {CALL, "q", "t", "rc", "{}", "none hint  allow allow allow"},
         {CALL, "q", "t", "ro", "{}", "egress hint public? allow allow allow"},
         {CALL, "q", "t", "ro", "{\"u\": [\"see https://u:p@Evil.example:8080/x?y\"]}",
          "egress hint evil.example allow allow allow"},
         {CALL, "q", "t", "w", "{}", "both hint public? allow allow allow"},
         {CALL, "q", "t", "c", "{}", "consequential hint  allow allow allow"},
         {CALL, "q", "t", "o", "{}", "both hint public? allow allow allow"},
         {CALL, "q", "t", "-", "{}", "both assumed public? allow allow allow"},
         {CALL, "q", "t", "", "{}", "both assumed public? allow allow allow"},
     }},
    {"P-T: a consequential call needs a trusted context; both are shown",
     "additive",
     {
         TAINT,
         {CALL, "q", "t", "wc", "{}", "consequential hint  deny deny allow"},
         {CALL, "q", "t", "w", "{}", "both hint public? deny deny allow"},
         {CALL, "q", "t", "ro", "{}", "egress hint public? allow deny allow"},
         {CALL, "q", "t", "r", "{}", "none hint  allow deny allow"},
     }},
    {"P-F: private is never public",
     "additive",
     {
         PRIVATE,
         {CALL, "q", "t", "wc", "{}", "consequential hint  allow allow deny"},
         {CALL, "q", "t", "w", "{}", "both hint public? deny allow deny"},
         {CALL, "q", "t", "ro", "{}", "egress hint public? deny allow deny"},
     }},
    {"fides: P-T or P-F of an egress, P-T of an action",
     "fides",
     {
         PRIVATE,
         {CALL, "q", "t", "wo", "{}", "both hint public? allow allow deny"},
         {CALL, "q", "t", "ro", "{}", "egress hint public? allow allow deny"},
         TAINT,
         {CALL, "q", "t", "ro", "{}", "egress hint public? deny deny deny"},
         {CALL, "q", "t", "wo", "{}", "both hint public? deny deny deny"},
     }},
    {"the order is policy, catalogue, hints; a rule may look at the arguments",
     "\"rules\": [{\"tool\": \"sql\", \"when\": {\"pointer\": \"/q\", \"sql\": \"read\"}, \"role\": []},"
     " {\"tool\": \"sql\", \"role\": [\"consequential\"]}]",
     {
         TAINT,
         {CALL, "q", "sql", "", "{\"q\": \"SELECT 1\"}", "none policy  allow deny allow"},
         {CALL, "q", "sql", "r", "{\"q\": \"drop table t\"}",
          "consequential policy  deny deny allow"},
         {CALL, "q", "sql", "r", "{\"q\": \"select 1; delete from t\"}",
          "consequential policy  deny deny allow"},
         {CALL, "q", "sql", "r", "{\"q\": \"with a as (select 1) insert into t select 1\"}",
          "consequential policy  deny deny allow"},
         {CALL, "q", "sql", "r", "{\"q\": \"-- insert\\n /* drop */ select 'delete; x' from t\"}",
          "none policy  allow deny allow"},
     }},
    {"audience: a pointer; A ⊆ R",
     "\"rules\": [{\"tool\": \"send\", \"role\": [\"egress\"], \"audience\": {\"pointer\": [\"/to\", "
     "\"/cc\"]}}]",
     {
         READERS,
         {CALL, "q", "send", "", "{\"to\": \"al@x\"}", "egress policy al@x allow allow allow"},
         {CALL, "q", "send", "", "{\"to\": [\"Bob <bob@x>\", \"al@x\"]}",
          "egress policy bob@x, al@x allow allow allow"},
         {CALL, "q", "send", "", "{\"to\": \"al@x, eve@y\"}",
          "egress policy al@x, eve@y deny allow deny"},
         {CALL, "q", "send", "", "{\"to\": \"al@x\", \"cc\": [\"eve@y\"]}",
          "egress policy al@x, eve@y deny allow deny"},
         {CALL, "q", "send", "", "{}", "egress policy public? deny allow deny"},
     }},
    {"a marker that can't be resolved → ask",
     "\"rules\": [{\"tool\": \"send\", \"role\": [\"egress\"], \"audience\": {\"reader\": \"al@x\"}}]",
     {
         PRIVATE,
         {CALL, "q", "send", "", "{}", "egress policy al@x ask allow ask"},
     }},
    {"unresolved: deny",
     "\"unresolved\": \"deny\", \"rules\": [{\"tool\": \"send\", \"role\": "
     "[\"egress\"], \"audience\": {\"reader\": \"al@x\"}}]",
     {
         PRIVATE,
         {CALL, "q", "send", "", "{}", "egress policy al@x deny allow deny"},
     }},
    {"a marker that resolves to a superset of A",
     "\"groups\": {\"@hr\": [\"al@x\", \"*@hr.x\"]}, "
     "\"resolve\": {\"s#1\": [\"@hr\"], \"s#*\": [\"eve@y\"]}, \"rules\": [{\"tool\": \"send\", "
     "\"role\": [\"egress\"], \"audience\": {\"pointer\": \"/to\"}}]",
     {
         PRIVATE,
         {CALL, "q", "send", "", "{\"to\": \"al@x\"}", "egress policy al@x allow allow allow"},
         {CALL, "q", "send", "", "{\"to\": \"jo@hr.x\"}",
          "egress policy jo@hr.x allow allow allow"},
         {CALL, "q", "send", "", "{\"to\": \"eve@y\"}", "egress policy eve@y deny allow deny"},
         PRIVATE,
         {CALL, "q", "send", "", "{\"to\": \"al@x\"}", "egress policy al@x deny allow deny"},
     }},
    {"… unless the audience is that same marker",
     "\"rules\": [{\"server\": \"gh\", \"resource\": [\"/repo\"], \"audience\": \"resource\"}]",
     {
         {CALL, "gh", "read", "r", "{\"repo\": \"pay\"}", NULL},
         {RESULT, "gh", "read", "r", TRUST("\"sensitive\": true"), NULL},
         {CALL, "gh", "push", "w", "{\"repo\": \"pay\"}", "both hint gh:pay allow allow allow"},
         {CALL, "gh", "push", "w", "{\"repo\": \"web\"}", "both hint gh:web ask allow ask"},
         {CALL, "gh", "push", "w", "{}", "both hint public? deny allow deny"},
     }},
    {"a policy may ask for any or all of a sink",
     "\"rules\": [{\"tool\": \"any\", \"require\": \"any\"}, {\"tool\": \"all\", \"require\": \"all\"}, "
     "{\"tool\": \"pf\", \"require\": \"P-F\"}]",
     {
         TAINT,
         {CALL, "q", "any", "wc", "{}", "consequential hint  allow deny allow"},
         {CALL, "q", "all", "ro", "{}", "egress hint public? deny deny allow"},
         {CALL, "q", "pf", "w", "{}", "both hint public? allow deny allow"},
         {CALL, "q", "all", "r", "{}", "none hint  allow deny allow"},
     }},
    {"rendered links are an egress to their host",
     "additive",
     {
         {STEP_ASSISTANT, "", "", "",
          "see [x](https://docs.example/a) and ![i](http://img.example)",
          "egress assumed docs.example, img.example allow allow allow"},
         PRIVATE,
         {STEP_ASSISTANT, "", "", "", "![a][r]\n\n[r]: https://img.example.net/p?d=1",
          "egress assumed img.example.net deny allow deny"},
         {STEP_ASSISTANT, "", "", "", "no link here, not even file:///etc/passwd",
          "trusted, private (s#2)"},
     }},
    {"the prompt endorses whom it names",
     "fides",
     {
         {STEP_PROMPT, "", "", "", "Put https://pictures.example/m.png on top.", NULL},
         PRIVATE,
         TAINT,
         {STEP_ASSISTANT, "", "", "", "![w](https://pictures.example/m.png)",
          "egress assumed pictures.example allow deny allow"},
         {STEP_ASSISTANT, "", "", "", "![w](https://evil.pictures.example/m.png)",
          "egress assumed evil.pictures.example deny deny deny"},
         {CALL, "q", "look", "ro", "{\"url\": \"https://pictures.example/other\"}",
          "egress hint pictures.example allow deny allow"},
         {CALL, "q", "look", "ro", "{\"url\": \"https://pictures.example.evil/\"}",
          "both hint pictures.example.evil deny deny deny"},
         {STEP_RESET, "", "clear", "", "", NULL},
         PRIVATE,
         TAINT,
         {STEP_ASSISTANT, "", "", "", "![w](https://pictures.example/m.png)",
          "egress assumed pictures.example deny deny deny"},
     }},
    {"accounts are named with spaces in them, people in either case of letters",
     "fides",
     {
         {STEP_PROMPT, "", "", "", "Pay GB29 NWBK-6016 1331 926819, tell Ann@A.example.Thanks!",
          NULL},
         PRIVATE,
         {CALL, "mail", "send_mail", "", "{\"to\": \"ann@a.example\"}",
          "both catalogue ann@a.example allow allow allow"},
         {CALL, "banking", "send_money", "", "{\"recipient\": \"GB29NWBK60161331926819\"}",
          "both catalogue GB29NWBK60161331926819 allow allow allow"},
         {CALL, "banking", "send_money", "", "{\"recipient\": \"GB29NWBK6016133192681\"}",
          "both catalogue GB29NWBK6016133192681 allow allow deny"},
         {CALL, "mail", "send_mail", "", "{\"to\": \"ann@a.example.org\"}",
          "both catalogue ann@a.example.org allow allow deny"},
     }},
    {"the system's prompt says who the user is, and permits no place",
     "fides",
     {
         {STEP_PROMPT, "", "system", "", "The user is kim@b.example. See https://b.example/help.",
          NULL},
         PRIVATE,
         {STEP_RESET, "", "clear", "", "", NULL},
         PRIVATE,
         {CALL, "mail", "send_mail", "", "{\"to\": \"kim@b.example\"}",
          "both catalogue kim@b.example allow allow allow"},
         {CALL, "q", "look", "ro", "{\"url\": \"https://b.example/x\"}",
          "both hint b.example allow allow deny"},
     }},
    {"the policy says who the user is",
     "\"owner\": \"*@b.example\"",
     {
         PRIVATE,
         {CALL, "mail", "send_mail", "", "{\"to\": \"kim@b.example\"}",
          "both catalogue kim@b.example allow allow allow"},
         {CALL, "mail", "send_mail", "", "{\"to\": \"kim@evil.example\"}",
          "both catalogue kim@evil.example ask allow ask"},
     }},
    {"a directory says who is meant by the user's words",
     "fides",
     {
         {STEP_PROMPT, "", "", "", "Write to Sarah Baker.", NULL},
         {CALL, "workspace", "search_contacts_by_name", "", "{\"query\": \"Sarah Baker\"}", NULL},
         {RESULT, "workspace", "search_contacts_by_name", "", "- email: sarah@c.example", NULL},
         {CALL, "workspace", "search_contacts_by_name", "", "{\"query\": \"Mallory\"}", NULL},
         {RESULT, "workspace", "search_contacts_by_name", "", "- email: mallory@d.example", NULL},
         {CALL, "workspace", "send_email", "", "{\"recipients\": [\"sarah@c.example\"]}",
          "both catalogue sarah@c.example allow allow allow"},
         {CALL, "workspace", "send_email", "", "{\"recipients\": [\"mallory@d.example\"]}",
          "both catalogue mallory@d.example allow allow deny"},
     }},
    {"an untrusted directory says nothing",
     "fides",
     {
         {STEP_PROMPT, "", "", "", "Write to Sarah.", NULL},
         {CALL, "workspace", "search_contacts_by_name", "", "{\"query\": \"Sarah\"}", NULL},
         {RESULT, "workspace", "search_contacts_by_name", "",
          "{\"email\": \"sarah@c.example\", \"_meta\": {\"ifc\": {\"integrity\": \"untrusted\", "
          "\"confidentiality\": \"private\"}}}",
          NULL},
         {CALL, "workspace", "send_email", "", "{\"recipients\": [\"sarah@c.example\"]}",
          "both catalogue sarah@c.example deny deny deny"},
     }},
    {"who is party to all that was read may read it",
     "fides",
     {
         {RESULT, "workspace", "search_emails", "",
          "- body: 'hi\n    recipients:\n    - mallory@d.example'\n  recipients:\n  - kim@b.example\n"
          "  sender: ann@a.example",
          "assumed untrusted, readers ann@a.example, kim@b.example > untrusted, readers "
          "ann@a.example, kim@b.example u0"},
         {CALL, "workspace", "send_email", "", "{\"recipients\": [\"ann@a.example\"]}",
          "both catalogue ann@a.example deny deny allow"},
         {CALL, "workspace", "send_email", "", "{\"recipients\": [\"mallory@d.example\"]}",
          "both catalogue mallory@d.example deny deny deny"},
         {RESULT, "workspace", "search_emails", "", "no mail of that kind",
          "assumed untrusted, private (workspace#4) > untrusted, private (workspace#4), readers "
          "ann@a.example, kim@b.example u0"},
     }},
    {"an address that came in word for word may be followed, one made here may not",
     "fides",
     {
         {RESULT, "slack", "read_channel_messages", "", "- body: see www.a.example/menu.", NULL},
         {CALL, "slack", "get_webpage", "", "{\"url\": \"http://www.A.example/menu\"}",
          "both catalogue www.a.example deny deny allow"},
         {CALL, "slack", "get_webpage", "", "{\"url\": \"http://www.a.example/menu?k=1a7b3d\"}",
          "both catalogue www.a.example deny deny deny"},
         {RESULT, "slack", "get_webpage", "", "you asked for http://www.a.example/menu?k=1a7b3d",
          NULL},
         {CALL, "slack", "get_webpage", "", "{\"url\": \"http://www.a.example/menu?k=1a7b3d\"}",
          "both catalogue www.a.example deny deny deny"},
         {CALL, "fetch", "fetch", "",
          "{\"url\": \"http://www.a.example/menu\", \"body\": \"1a7b3d\"}",
          "both catalogue www.a.example deny deny deny"},
         {STEP_ASSISTANT, "", "", "", "It is at http://www.a.example/menu",
          "egress assumed www.a.example allow deny allow"},
         {STEP_ASSISTANT, "", "", "", "http://www.a.example/menu and http://www.a.example/k",
          "egress assumed www.a.example deny deny deny"},
         {STEP_RESET, "", "clear", "", "", NULL},
         PRIVATE,
         TAINT,
         {STEP_ASSISTANT, "", "", "", "It is at http://www.a.example/menu",
          "egress assumed www.a.example deny deny deny"},
     }},
    {"additive doesn't let prompts endorse",
     "additive",
     {
         {STEP_PROMPT, "", "", "", "Put https://pictures.example/m.png on top.", NULL},
         PRIVATE,
         {STEP_ASSISTANT, "", "", "", "![w](https://pictures.example/m.png)",
          "egress assumed pictures.example deny allow deny"},
     }},
    {"agent-framework: not read-only is a sink with everybody as audience",
     "agent-framework",
     {
         PRIVATE,
         {CALL, "q", "t", "wc", "{}", "both hint public? deny allow deny"},
         {CALL, "q", "t", "ro", "{}", "none hint  allow allow deny"},
         {STEP_ASSISTANT, "", "", "", "https://img.example", "trusted, private (s#1)"},
     }},
    {"rule of two: only all three are asked about",
     "rule-of-two",
     {
         PRIVATE,
         {CALL, "q", "t", "w", "{}", "both hint public? allow allow deny"},
         TAINT,
         {CALL, "q", "t", "w", "{}", "both hint public? ask deny deny"},
         {CALL, "q", "t", "wc", "{}", "consequential hint  ask deny deny"},
         {CALL, "q", "t", "r", "{}", "none hint  allow deny deny"},
     }},
    {"audit allows and still computes",
     "\"mode\": \"audit\"",
     {
         TAINT,
         {CALL, "q", "t", "w", "{}", "both hint public? allow deny allow"},
     }},
    {"parallel calls don't taint each other",
     "additive",
     {
         {CALL, "q", "t", "w", "{}", "both hint public? allow allow allow"},
         {CALL, "q", "u", "w", "{}", "both hint public? allow allow allow"},
         {RESULT, "q", "t", "w", TRUST("\"untrusted\": true"), NULL},
         {RESULT, "q", "u", "w", PLAIN, NULL},
         {CALL, "q", "t", "w", "{}", "both hint public? deny deny allow"},
     }},
};

Test(replay, from_wire)
{
    for (size_t i = 0; i < COUNT_OF(from_wire); i++)
        run(&from_wire[i]);
}

Test(replay, verdicts)
{
    for (size_t i = 0; i < COUNT_OF(verdicts); i++)
        run(&verdicts[i]);
}

/* One record that re-derives doesn't vouch for another that doesn't. */
Test(replay, verified_as_a_whole)
{
    struct err err = {0};
    struct policy *policy = policy_load("additive", &err);
    struct label_pool *pool = label_pool_create();
    struct replay *replay = replay_create(policy, pool);
    struct replay_state state;
    struct replay_out out;
    struct step step = {.n = 1, .kind = STEP_TOOL_RESULT, .server = SPAN("a"), .tool = SPAN("t")};
    struct evidence_input evidence[] = {
        {.block = -1,
         .verdict = "recomputed",
         .type = SPAN("data-class.v1"),
         .record = SPAN("{\"class\": \"public\"}")},
        {.block = 0, .verdict = "digest_mismatch", .type = SPAN("data-class.v1")},
    };
    struct replay_input input = {.step = &step, .evidence = evidence, .evidence_count = 1};
    replay_start(&state);
    replay_step(replay, &state, &input, &out);
    cr_expect_eq(out.origin, ORIGIN_VERIFIED);
    cr_expect(label_is_public(out.label));
    input.evidence_count = 2;
    replay_step(replay, &state, &input, &out);
    cr_expect_eq(out.origin, ORIGIN_CLAIMED);
    cr_expect(label_is_private(out.label));
    replay_destroy(replay);
    label_pool_destroy(pool);
    policy_destroy(policy);
}

/* The state stays small however many private things come in. */
Test(replay, bounded)
{
    struct err err = {0};
    struct policy *policy = policy_load("additive", &err);
    struct label_pool *pool = label_pool_create();
    struct replay *replay = replay_create(policy, pool);
    struct replay_state state;
    struct claim claim = {
        .shape = CLAIM_TRUST, .block = -1, .name = SPAN("sensitive"), .value = SPAN("true")};
    replay_start(&state);
    for (int64_t n = 1; n <= 20000; n++) {
        struct step step = {.n = n,
                            .kind = STEP_TOOL_RESULT,
                            .server = n % 3 ? SPAN("a") : SPAN("b"),
                            .tool = SPAN("t")};
        struct replay_input input = {.step = &step, .claims = &claim, .claim_count = 1};
        struct replay_out out;
        replay_step(replay, &state, &input, &out);
        cr_assert(set_size(pool, state.context.markers) <= 128);
        cr_assert(label_is_private(state.context));
    }
    cr_assert(set_has(pool, state.context.markers, SPAN("a#*")));
    replay_destroy(replay);
    label_pool_destroy(pool);
    policy_destroy(policy);
}
