/* AgentDojo's run files: one document a run, with the conversation in "messages". The tools belong
 * to one environment, the suite; it takes the place of a server. */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum { AGENTDOJO_NAME_SIZE = 128 };

struct agentdojo_state {
    char suite[AGENTDOJO_NAME_SIZE], host[AGENTDOJO_NAME_SIZE];
    size_t suite_len, host_len;
};

static void *agentdojo_open_state(struct span path)
{
    (void)path;
    return NEW(struct agentdojo_state);
}

static size_t agentdojo_keep(char *into, struct span text, size_t at)
{
    text = span_sub(text, 0, AGENTDOJO_NAME_SIZE - at);
    memcpy(into + at, text.at, text.len);
    return at + text.len;
}

static void agentdojo_read_head(struct agentdojo_state *state, struct span head,
                                struct arena *arena)
{
    enum { SUITE, PIPELINE, AGENTDOJO_MEMBERS };
    static const char *const names[] = {"suite_name", "pipeline_name"};
    struct span m[AGENTDOJO_MEMBERS];
    pick(head, names, m, AGENTDOJO_MEMBERS);
    state->suite_len = agentdojo_keep(state->suite, pick_string(m[SUITE], arena), 0);
    state->host_len = agentdojo_keep(state->host, SPAN("agentdojo "), 0);
    state->host_len = agentdojo_keep(state->host, pick_string(m[PIPELINE], arena), state->host_len);
}

static void agentdojo_read_unit(void *at, const struct unit *unit, struct outlet *out)
{
    struct agentdojo_state *state = at;
    struct span text = span_trim(unit->text);
    size_t fault_at;
    enum jsonr_fault fault;
    if (unit->part == UNIT_HEAD)
        agentdojo_read_head(state, text, outlet_arena(out));
    if (unit->part != UNIT_ELEMENT) {
        if (text.len)
            outlet_noise(out, "document");
        return;
    }
    if (!jsonr_valid(text, &fault, &fault_at)) {
        outlet_bad(out, fault_at, jsonr_fault_text(fault));
        return;
    }
    struct record base = {
        .time_digits = -1,
        .host = {state->host, state->host_len},
        .rpc_type = SPAN("message"),
    };
    if (!talk_message(out, text, &base))
        outlet_noise(out, "empty");
    for (size_t i = 0; i < out->count; i++)
        if (out->records[i].kind == RECORD_CALL)
            out->records[i].server = (struct span){state->suite, state->suite_len};
}

static void agentdojo_probe(struct probe *p)
{
    struct span value;
    if (probe_begins(p, '{') && probe_member(p, "suite_name", &value) &&
        probe_member(p, "pipeline_name", &value))
        probe_say(p, 97, "a document with suite_name, pipeline_name and messages");
}

static const char *const agentdojo_cannot_show[] = {
    "times",
    "annotations (_meta), definitions and hints of tools",
    "an MCP server: the tools belong to the suite's environment",
    NULL,
};

const struct reader reader_agentdojo = {
    .name = "agentdojo",
    .title = "AgentDojo's recorded runs",
    .where = "runs/PIPELINE/SUITE/USER_TASK/ATTACK/INJECTION_TASK.json",
    .cannot_show = agentdojo_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "messages",
    .transcript = true,
    .probe = agentdojo_probe,
    .open = agentdojo_open_state,
    .read = agentdojo_read_unit,
    .close = mem_free,
};
