/* Transcripts: what the agent's program wrote of prompts, the model's text, calls and results. */
#include "ingest/assembler_internal.h"
#include "ingest/diagnose.h"
#include "ingest/pick.h"

/* The records of one line share its event. */
static bool event_of(struct assembler *a, struct making *m)
{
    if (!a->unit_event || a->unit_event_session != m->session ||
        a->unit_event_part != m->record->within.at) {
        a->unit_event = assemble_event(a, m, "message", m->record->rpc_type, SPAN_EMPTY, 0);
        a->unit_event_session = m->session;
        a->unit_event_part = m->record->within.at;
    }
    m->event = a->unit_event;
    return m->event;
}

/* Calls wait per session. Where the format has no ids, they are answered in order. */
static struct span call_key(struct assembler *a, const struct making *m, uint64_t order)
{
    const struct record *r = m->record;
    buf_clear(&a->key);
    buf_add(&a->key, (struct span){(const char *)&m->session, sizeof m->session});
    if (r->call_id.len) {
        buf_byte(&a->key, 'i');
        buf_add(&a->key, r->call_id);
    } else {
        buf_addf(&a->key, "o%llu", (unsigned long long)order);
    }
    return buf_span(&a->key);
}

static struct step_row talk_row(struct assembler *a, const struct making *m, enum step_kind kind)
{
    struct step_row row = assemble_step_row(m, kind);
    row.body = assemble_extent(a, m, m->text);
    if (!m->record->server_side)
        row.flags |= ROW_SHOWN;
    return row;
}

/* The arguments as text; those in a string are taken out of it. */
static struct span arguments_of(struct assembler *a, const struct making *m)
{
    const struct record *r = m->record;
    if (r->recipe && strcmp(r->recipe, "s;") == 0 && !r->text.at)
        return pick_string(r->payload, &a->arena);
    return m->text;
}

/* The step of a call: a new one, or the one that another source told of. *twin: its answer there.
 */
static int64_t assemble_talk_call_step(struct assembler *a, const struct making *m, int64_t *twin)
{
    const struct record *r = m->record;
    bool ok;
    struct merge_call *same = assemble_twin(a, m, r->tool, arguments_of(a, m), m->text, &ok);
    if (!ok)
        return 0;
    if (same) {
        *twin = same->result;
        return assemble_recording(a, m, same->step, m->text) ? same->step : 0;
    }
    struct step_row row = talk_row(a, m, STEP_TOOL_CALL);
    row.tool = r->tool;
    if (m->server)
        row.definition = *assemble_definition(a, m->server, r->tool);
    return assemble_step(a, &row);
}

/* ---- what was decided about a call ---- */

static bool decide(struct assembler *a, int64_t call, enum decision decision)
{
    switch (decision) {
    case DECISION_APPROVED:
        return store_step_flags(a->c, call, ROW_APPROVED, 0, a->err);
    case DECISION_REFUSED:
        return store_outcome(a->c, call, OUTCOME_REFUSED, a->err);
    default:
        return true;
    }
}

/* The call may have been told of, or is still to come. */
static bool take_decision(struct assembler *a, const struct making *m)
{
    const struct record *r = m->record;
    if (r->decision == DECISION_NONE || !r->call_id.len)
        return true;
    struct pending *call = pendings_find(a->calls, 'c', call_key(a, m, 0));
    if (call && call->step)
        return decide(a, call->step, r->decision);
    bool displaced;
    pendings_add(a->calls, 'd', call_key(a, m, 0), &displaced)->decision = (int)r->decision;
    return true;
}

static bool decided_before(struct assembler *a, const struct making *m, int64_t call)
{
    struct pending *one =
        m->record->call_id.len ? pendings_find(a->calls, 'd', call_key(a, m, 0)) : NULL;
    if (!one)
        return decide(a, call, m->record->decision);
    enum decision decision = (enum decision)one->decision;
    pendings_remove(a->calls, one);
    return decide(a, call, decision);
}

/* ---- calls and results ---- */

static bool take_call(struct assembler *a, struct making *m)
{
    const struct record *r = m->record;
    bool displaced;
    struct pending *same = pendings_find(a->calls, 'c', call_key(a, m, a->order_put));
    bool waits = same && !same->result;
    if (waits && (r->server_side || same->server_side))
        return assemble_recording(a, m, same->step, m->text);
    if (r->server.len && !(m->server = assemble_server(a, r->server)))
        return false;
    int64_t twin = 0, step = assemble_talk_call_step(a, m, &twin);
    if (!step)
        return false;
    struct pending *one = pendings_add(a->calls, 'c', call_key(a, m, a->order_put), &displaced);
    if (!r->call_id.len)
        a->order_put++;
    one->event = m->event;
    one->step = step;
    one->server = m->server;
    one->server_side = r->server_side;
    one->twin = twin;
    pending_set_name(one, r->tool);
    if (!decided_before(a, m, step))
        return false;
    return !waits || assemble_note(a, m, PR_DUPLICATE_ID,
                                   "the id of the call was used again before its result");
}

static enum outcome outcome_of_result(const struct record *r)
{
    return r->refused ? OUTCOME_REFUSED : r->is_error ? OUTCOME_FAILED : OUTCOME_COMPLETED;
}

static bool link_child(struct assembler *a, const struct making *m, int64_t call)
{
    if (!m->record->child.len || !call)
        return true;
    int64_t child = assemble_child_session(a, m->record, m->record->child);
    return child && store_child(a->c, call, child, a->err);
}

static bool take_result(struct assembler *a, struct making *m)
{
    const struct record *r = m->record;
    struct pending *found = pendings_find(a->calls, 'c', call_key(a, m, a->order_taken));
    if (found && found->result && r->server_side != found->result_server_side)
        return assemble_recording(a, m, found->result, m->text) &&
               (!r->server_side || assemble_claims(a, m, found->result, m->text));
    if (found && found->twin) {
        found->result = found->twin;
        found->result_server_side = r->server_side;
        found->twin = 0;
        return assemble_recording(a, m, found->result, m->text) && link_child(a, m, found->step);
    }
    struct step_row row = talk_row(a, m, STEP_TOOL_RESULT);
    if (!r->call_id.len && found)
        a->order_taken++;
    row.call = found ? found->step : 0;
    row.tool = found ? pending_name(found) : r->tool;
    row.server = found ? found->server : 0;
    row.is_error = r->is_error;
    if (!found && r->server.len)
        row.server = assemble_server(a, r->server);
    int64_t step = assemble_step(a, &row);
    if (found) {
        found->result = step;
        found->result_server_side = r->server_side;
    }
    if (!step || !assemble_claims(a, m, step, m->text))
        return false;
    if (!row.call)
        return assemble_note(a, m, PR_NO_REQUEST, "a result, and no call of that id before it");
    return store_outcome(a->c, row.call, outcome_of_result(r), a->err) &&
           decide(a, row.call, r->decision) && link_child(a, m, row.call);
}

/* The call that started a sub-agent, known when its side chain begins. */
static bool parent_of_chain(struct assembler *a, const struct making *m)
{
    const struct record *r = m->record;
    if (!r->agent.len || !r->parent_call.len)
        return true;
    struct record main = *r;
    main.agent = SPAN_EMPTY;
    main.call_id = r->parent_call;
    struct making of_main = *m;
    of_main.record = &main;
    of_main.session = assemble_session(a, &main);
    if (!of_main.session)
        return false;
    struct pending *call = pendings_find(a->calls, 'c', call_key(a, &of_main, 0));
    return !call || store_child(a->c, call->step, m->session, a->err);
}

static bool take_plain(struct assembler *a, struct making *m, enum step_kind kind, const char *word)
{
    struct step_row row = talk_row(a, m, kind);
    row.tool = span_of(word);
    return assemble_step(a, &row);
}

static bool take_definitions(struct assembler *a, struct making *m)
{
    if (m->record->server.len && !(m->server = assemble_server(a, m->record->server)))
        return false;
    struct step_row row = talk_row(a, m, STEP_DEFINITIONS);
    int64_t step = assemble_step(a, &row);
    return step && assemble_definitions(a, m, step, m->text);
}

bool assemble_talk(struct assembler *a, struct making *m)
{
    const struct record *r = m->record;
    if (!event_of(a, m) || !parent_of_chain(a, m))
        return false;
    switch (r->kind) {
    case RECORD_PROMPT:
        return take_plain(a, m, STEP_PROMPT, r->system ? "system" : "");
    case RECORD_ASSISTANT:
        return take_plain(a, m, STEP_ASSISTANT, "");
    case RECORD_CALL:
        return take_call(a, m);
    case RECORD_RESULT:
        return r->side_file.len ? assemble_side(a, m) : take_result(a, m);
    case RECORD_DEFINITIONS:
        return take_definitions(a, m);
    case RECORD_RESET:
        return take_plain(a, m, STEP_RESET, r->compaction ? "compact" : "clear");
    case RECORD_MESSAGE:
    case RECORD_START:
    case RECORD_STDERR:
        break;
    case RECORD_OTHER:
        return take_decision(a, m);
    }
    return true;
}
