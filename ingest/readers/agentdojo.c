/* AgentDojo's run files: one document a run, with the conversation in "messages". The tools belong
 * to one environment, the suite; it takes the place of a server. */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum { NAME_SIZE = 128 };

struct state {
    char suite[NAME_SIZE], host[NAME_SIZE];
    size_t suite_len, host_len;
};

static void *open_state(struct span path)
{
    (void)path;
    return NEW(struct state);
}

static size_t keep(char *into, struct span text, size_t at)
{
    text = span_sub(text, 0, NAME_SIZE - at);
    memcpy(into + at, text.at, text.len);
    return at + text.len;
}

static void read_head(struct state *state, struct span head, struct arena *arena)
{
    enum { SUITE, PIPELINE, MEMBERS };
    static const char *const names[] = {"suite_name", "pipeline_name"};
    struct span m[MEMBERS];
    pick(head, names, m, MEMBERS);
    state->suite_len = keep(state->suite, pick_string(m[SUITE], arena), 0);
    state->host_len = keep(state->host, SPAN("agentdojo "), 0);
    state->host_len = keep(state->host, pick_string(m[PIPELINE], arena), state->host_len);
}

static void read_unit(void *at, const struct unit *unit, struct outlet *out)
{
    struct state *state = at;
    struct span text = span_trim(unit->text);
    size_t fault_at;
    enum jsonr_fault fault;
    if (unit->part == UNIT_HEAD)
        read_head(state, text, outlet_arena(out));
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

static void probe(struct probe *p)
{
    struct span value;
    if (probe_begins(p, '{') && probe_member(p, "suite_name", &value) &&
        probe_member(p, "pipeline_name", &value))
        probe_say(p, 97, "a document with suite_name, pipeline_name and messages");
}

static const char *const cannot_show[] = {
    "times",
    "annotations (_meta), definitions and hints of tools",
    "an MCP server: the tools belong to the suite's environment",
    NULL,
};

const struct reader reader_agentdojo = {
    .name = "agentdojo",
    .title = "AgentDojo's recorded runs",
    .where = "runs/PIPELINE/SUITE/USER_TASK/ATTACK/INJECTION_TASK.json",
    .cannot_show = cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "messages",
    .transcript = true,
    .probe = probe,
    .open = open_state,
    .read = read_unit,
    .close = mem_free,
};
