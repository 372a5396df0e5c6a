#include "ingest/assembler_internal.h"

#include "base/hash.h"
#include "base/spill.h"

#include "model/case/rehearse.h"

uint64_t assemble_hash(struct span s)
{
    uint64_t hash = hash_of(s);
    return (hash ^ hash >> 32) | 1;
}

/* ---- the whole command ---- */

/* Keys of sessions in the case, so that a second import finds them. */
static struct span session_key(struct assembler *a, char kind, struct span key, struct span agent)
{
    buf_clear(&a->key);
    buf_byte(&a->key, kind);
    buf_add(&a->key, key);
    if (agent.len) {
        buf_byte(&a->key, '/');
        buf_add(&a->key, agent);
    }
    return buf_span(&a->key);
}

static void use_name(struct assembler *a, struct span name)
{
    int64_t *last = names_at(&a->session_names, name);
    *last = *last ? *last : 1;
}

static bool load_sessions(struct assembler *a, struct err *err)
{
    static const char all[] = "SELECT id, key, name FROM session";
    static const char only[] = "SELECT id, key, name FROM session WHERE id=?1 OR parent_id=?1";
    struct stmt *stmt = db_stmt(case_db(a->c), a->options.only ? only : all, err);
    if (!stmt)
        return false;
    if (a->options.only)
        stmt_bind_int(stmt, 1, a->options.only);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct span key = stmt_text(stmt, 1), name = stmt_text(stmt, 2);
        int64_t id = stmt_int(stmt, 0);
        if (key.len)
            *names_at(&a->sessions, session_key(a, 'k', key, SPAN_EMPTY)) = id;
        *names_at(&a->sessions, session_key(a, 'n', name, SPAN_EMPTY)) = id;
        use_name(a, name);
    }
    stmt_finish(stmt);
    return row == 0;
}

struct assembler *assembler_create(struct case_file *c, const struct assembler_options *options,
                                   struct err *err)
{
    struct assembler *a = NEW(struct assembler);
    a->c = c;
    a->options = *options;
    a->nodes = spill_create(sizeof(struct left_node));
    a->jcs = jcs_create();
    a->hasher = hasher_create();
    if (load_sessions(a, err))
        return a;
    assembler_destroy(a);
    return NULL;
}

static void end_connections(struct assembler *a)
{
    for (size_t i = 0; i < a->conn_count; i++) {
        pendings_destroy(a->conns[i].requests);
        pendings_destroy(a->conns[i].before);
        pendings_destroy(a->conns[i].tasks);
    }
    a->conn_count = 0;
    a->last_conn = -1;
    names_finish(&a->connections);
}

void assemble_forget_merges(struct assembler *a)
{
    for (size_t i = 0; i < a->merge_count; i++)
        merge_finish(&a->merges[i]);
    a->merge_count = 0;
    names_finish(&a->merge_of);
}

static void end_source(struct assembler *a)
{
    end_connections(a);
    names_finish(&a->touched);
    pendings_destroy(a->calls);
    a->calls = NULL;
    enum { MERGES_KEPT = 8 }; /* of one session or a few, to which many sources belong */
    if (a->resumed || a->merge_count > MERGES_KEPT)
        assemble_forget_merges(a);
    spill_clear(a->nodes);
    a->first_step = 0;
    a->source = a->file_session = 0;
    a->resumed = false;
    clock_forget(&a->clock);
    arena_reset(&a->source_arena);
}

static void forget_rows(struct assembler *a)
{
    names_finish(&a->sessions);
    names_finish(&a->session_names);
    names_finish(&a->servers);
    names_finish(&a->definitions);
    names_finish(&a->epochs);
    names_finish(&a->sides);
}

void assembler_destroy(struct assembler *a)
{
    if (!a)
        return;
    end_source(a);
    half_forget(a);
    assemble_forget_merges(a);
    forget_rows(a);
    names_finish(&a->unnumbered);
    mem_free(a->joined);
    jcs_destroy(a->jcs);
    hasher_destroy(a->hasher);
    buf_finish(&a->scratch);
    buf_finish(&a->key);
    arena_finish(&a->arena);
    arena_finish(&a->source_arena);
    wire_sessions_finish(&a->wires);
    mem_free(a->conns);
    mem_free(a->merges);
    spill_destroy(a->nodes);
    mem_free(a);
}

void assembler_drop(struct assembler *a)
{
    struct err ignored;
    rehearse_drop(a->c);
    end_source(a);
    half_forget(a);
    assemble_forget_merges(a);
    forget_rows(a); /* ids that the rollback took */
    load_sessions(a, &ignored);
}

struct assembler_counts assembler_counts(const struct assembler *a)
{
    return a->counts;
}

/* ---- names, sessions ---- */

int64_t assemble_server(struct assembler *a, struct span name)
{
    int64_t *id = names_at(&a->servers, name);
    if (!*id)
        *id = store_server(a->c, name, a->err);
    return *id;
}

static bool assemble_touch(struct assembler *a, int64_t session)
{
    if (!session)
        return false;
    int64_t *touched = names_at(&a->touched, (struct span){(const char *)&session, sizeof session});
    if (*touched)
        return true;
    *touched = session;
    return store_session_source(a->c, session, a->source, a->err);
}

int64_t assemble_new_session(struct assembler *a, struct span key, struct span name,
                             struct span host, int64_t parent)
{
    int64_t id = store_session(
        a->c, &(struct session_row){.key = key, .name = name, .host = host, .parent = parent},
        a->err);
    a->counts.sessions += id != 0;
    use_name(a, name);
    return id;
}

int64_t assemble_named_session(struct assembler *a, struct span name, struct span host)
{
    int64_t *id = names_at(&a->sessions, session_key(a, 'n', name, SPAN_EMPTY));
    if (!*id)
        *id = assemble_new_session(a, SPAN_EMPTY, name, host, 0);
    return *id;
}

static int64_t main_session(struct assembler *a, const struct record *record)
{
    if (a->options.session.len)
        return assemble_named_session(a, a->options.session, record->host);
    if (!record->session.len) { /* the one that the lines before it belong to */
        if (!a->file_session)
            a->file_session = assemble_new_session(a, SPAN_EMPTY, a->stem, record->host, 0);
        return a->file_session;
    }
    int64_t *id = names_at(&a->sessions, session_key(a, 'k', record->session, SPAN_EMPTY));
    if (!*id)
        *id = assemble_new_session(a, record->session, record->session, record->host, 0);
    return a->file_session = *id;
}

int64_t assemble_child_session(struct assembler *a, const struct record *record, struct span agent)
{
    int64_t parent = main_session(a, record);
    if (!parent)
        return 0;
    struct span base = a->options.session.len ? a->options.session
                       : record->session.len  ? record->session
                                              : a->stem;
    struct span key = session_key(a, 'k', base, agent);
    int64_t *id = names_at(&a->sessions, key);
    if (!*id) {
        key = span_sub(buf_span(&a->key), 1, a->key.len);
        *id = assemble_new_session(a, key, agent, record->host, parent);
    }
    return *id;
}

int64_t assemble_session(struct assembler *a, const struct record *record)
{
    int64_t session = !a->reader->transcript ? wire_session_of(a, record)
                      : record->agent.len    ? assemble_child_session(a, record, record->agent)
                                             : main_session(a, record);
    return assemble_touch(a, session) ? session : 0;
}

/* ---- rows ---- */

/* The same of a record whose bytes stand in pieces over the source. */
static struct extent stitched_extent(struct assembler *a, const struct making *m, struct span part)
{
    const struct record *r = m->record;
    uint64_t in_text = part.at ? (uint64_t)(part.at - m->text.at) : 0;
    struct extent extent = {.source = a->source};
    buf_clear(&a->scratch);
    if (!r->recipe) {
        stitch_extent(r->stitch, r->stitch_at + in_text, part.len, &extent, &a->scratch);
    } else {
        stitch_extent(r->stitch, r->stitch_at, r->payload.len, &extent, &a->scratch);
        buf_puts(&a->scratch, r->recipe);
        if (part.at != m->text.at || part.len != m->text.len)
            buf_addf(&a->scratch, "@%llu+%llu;", (unsigned long long)in_text,
                     (unsigned long long)part.len);
    }
    extent.recipe = arena_copy(&a->arena, buf_span(&a->scratch));
    return extent;
}

struct extent assemble_extent(struct assembler *a, const struct making *m, struct span part)
{
    if (m->record->stitch)
        return stitched_extent(a, m, part);
    const struct unit *unit = m->unit;
    const struct record *r = m->record;
    uint64_t payload = (uint64_t)(r->payload.at - unit->text.at);
    uint64_t in_text = part.at ? (uint64_t)(part.at - m->text.at) : 0;
    bool whole = part.at == m->text.at && part.len == m->text.len;
    struct extent extent = {.source = a->source, .recipe = SPAN_EMPTY};
    if (!unit->recipe && !r->recipe) {
        extent.offset = unit->offset + payload + in_text;
        extent.length = part.len;
        return extent;
    }
    buf_clear(&a->scratch);
    if (unit->recipe) {
        extent.offset = unit->start;
        extent.length = unit->size;
        buf_addf(&a->scratch, "%s@%llu+%llu;", unit->recipe, (unsigned long long)payload,
                 (unsigned long long)r->payload.len);
    } else {
        extent.offset = unit->offset + payload;
        extent.length = r->payload.len;
    }
    buf_puts(&a->scratch, r->recipe ? r->recipe : "");
    if (!whole)
        buf_addf(&a->scratch, "@%llu+%llu;", (unsigned long long)in_text,
                 (unsigned long long)part.len);
    extent.recipe = arena_copy(&a->arena, buf_span(&a->scratch));
    return extent;
}

static const char *direction_word(enum direction direction)
{
    static const char *const words[] = {NULL, "c2s", "s2c"};
    return words[direction];
}

int64_t assemble_event(struct assembler *a, const struct making *m, const char *kind,
                       struct span method, struct span rpc_id, int64_t pair)
{
    const struct record *r = m->record;
    struct event_row row = {
        .session = m->session,
        .connection = m->connection,
        .line = m->unit->line,
        .time_ns = r->time_ns,
        .time_digits = r->time_digits,
        .direction = direction_word(r->direction),
        .kind = kind,
        .method = method,
        .rpc_id = rpc_id,
        .pair = pair,
        .flags = m->flags,
    };
    bool part = r->within.at && !m->unit->recipe;
    if (part) {
        row.line += r->lines_before;
        row.at = (struct extent){a->source,
                                 m->unit->offset + (uint64_t)(r->within.at - m->unit->text.at),
                                 r->within.len, SPAN_EMPTY};
    } else if (r->kind == RECORD_MESSAGE || r->stitch) {
        row.at = assemble_extent(a, m, m->text);
    } else if (m->unit->recipe) {
        row.at =
            (struct extent){a->source, m->unit->start, m->unit->size, span_of(m->unit->recipe)};
    } else {
        row.at = (struct extent){a->source, m->unit->offset, m->unit->text.len, SPAN_EMPTY};
    }
    a->counts.events++;
    return store_event(a->c, &row, a->err);
}

struct step_row assemble_step_row(const struct making *m, enum step_kind kind)
{
    return (struct step_row){
        .session = m->session,
        .event = m->event,
        .server = m->server,
        .connection = m->connection,
        .kind = kind,
        .time_ns = m->record->time_ns,
        .time_digits = m->record->time_digits,
        .flags = m->flags,
    };
}

/* Did another source tell of this session? -1 on an error. */
static int told_elsewhere(struct assembler *a, int64_t session)
{
    static const char sql[] =
        "SELECT 1 FROM session_source WHERE session_id=?1 AND source_id<>?2 LIMIT 1";
    return db_number(case_db(a->c), sql, (int64_t[]){session, a->source}, 2, NULL, a->err);
}

/* What other sources told of the session; NULL where none did, or on an error. */
static struct merge *merge_of(struct assembler *a, int64_t session, bool *ok)
{
    int64_t *place = names_at(&a->merge_of, (struct span){(const char *)&session, sizeof session});
    if (!*place) {
        a->merges = mem_resize(a->merges, (a->merge_count + 1) * sizeof *a->merges);
        a->merges[a->merge_count++] = (struct merge){0};
        *place = (int64_t)a->merge_count;
    }
    struct merge *merge = &a->merges[*place - 1];
    if (merge->source != a->source) {
        int told = told_elsewhere(a, session);
        merge->source = a->source;
        *ok =
            told == 0 || (told > 0 && merge_load(merge, a->c, session, a->source, a->jcs, a->err));
    }
    return *ok ? merge : NULL;
}

/* What the call was found to be when it was taken for the first time. */
static struct merge_call *retold_twin(struct assembler *a, const struct making *m,
                                      struct span arguments, bool *ok)
{
    struct extent at = assemble_extent(a, m, arguments.at ? arguments : span_sub(m->text, 0, 0));
    a->retold = (struct merge_call){0};
    a->retold.step =
        rehearse_merged(a->c, m->event, at.offset, &a->retold.result, &a->retold.shown, a->err);
    *ok = a->retold.step >= 0;
    return a->retold.step > 0 ? &a->retold : NULL;
}

/* A server doesn't know who asks: a call of the session that a sub-agent tells of is its own. */
static struct merge_call *sub_agents_twin(struct assembler *a, const struct making *m,
                                          const struct merge_wanted *wanted, bool *ok)
{
    int64_t session = main_session(a, m->record);
    struct merge *merge = session ? merge_of(a, session, ok) : NULL;
    struct merge_call *twin = merge ? merge_find(merge, wanted, a->jcs) : NULL;
    *ok = *ok && session;
    if (twin)
        *ok = assemble_touch(a, session) && store_move_step(a->c, twin->step, m->session, a->err) &&
              (!twin->result || store_move_step(a->c, twin->result, m->session, a->err));
    return *ok ? twin : NULL;
}

struct merge_call *assemble_twin(struct assembler *a, const struct making *m, struct span tool,
                                 struct span arguments, struct span body, bool *ok)
{
    *ok = true;
    if (rehearse_is_on(a->c))
        return retold_twin(a, m, body, ok);
    struct merge_wanted wanted = {
        .tool = tool,
        .arguments = arguments,
        .server = m->server,
        .time_ns = m->record->time_ns + a->options.clock_ns,
        .timed = m->record->time_digits >= 0,
        .shown = a->reader->transcript,
    };
    struct merge *merge = merge_of(a, m->session, ok);
    struct merge_call *twin = merge ? merge_find(merge, &wanted, a->jcs) : NULL;
    if (*ok && !twin && m->record->agent.len)
        twin = sub_agents_twin(a, m, &wanted, ok);
    if (twin && twin->timed && wanted.timed)
        clock_note(&a->clock, twin->time_ns, m->record->time_ns);
    return twin;
}

bool assemble_recording(struct assembler *a, const struct making *m, int64_t step, struct span body)
{
    struct extent at = assemble_extent(a, m, body.at ? body : span_sub(m->text, 0, 0));
    return store_step_source(a->c, step, m->event, &at, a->err);
}

static void remember_node(struct assembler *a, uint32_t node, int64_t step)
{
    spill_add(a->nodes, &(struct left_node){node, step});
}

int64_t assemble_step(struct assembler *a, const struct step_row *row)
{
    int64_t id = store_step(a->c, row, a->err);
    a->counts.steps += id != 0;
    if (!a->first_step)
        a->first_step = id;
    if (id && a->node)
        remember_node(a, a->node, id);
    return id;
}

bool assembler_diagnostic(struct assembler *a, uint64_t line, uint64_t offset, uint64_t length,
                          const char *code, const char *what, struct err *err)
{
    a->counts.diagnostics++;
    return store_diagnostic(
        a->c, &(struct diagnostic_row){a->source, line, offset, length, code, span_of(what)}, err);
}

bool assemble_note(struct assembler *a, const struct making *m, const char *code, const char *what)
{
    struct extent at = assemble_extent(a, m, m->text);
    return assembler_diagnostic(a, m->unit->line, at.offset, at.length, code, what, a->err);
}

/* ---- a source ---- */

static struct span stem_of(struct span path)
{
    while (path.len && path.at[path.len - 1] == '/')
        path.len--;
    size_t at = path.len;
    while (at && path.at[at - 1] != '/')
        at--;
    struct span name = span_sub(path, at, path.len);
    size_t dot = name.len;
    while (dot > 1 && name.at[dot - 1] != '.')
        dot--;
    return dot > 1 ? span_sub(name, 0, dot - 1) : name;
}

bool assembler_begin(struct assembler *a, int64_t source, struct span path, struct span group,
                     const struct reader *reader, void *state, struct err *err)
{
    (void)err;
    end_source(a);
    a->source = source;
    a->path = path;
    a->stem = stem_of(path);
    if (!a->stem.len || span_is(a->stem, "-"))
        a->stem = SPAN("stdin");
    wire_session_begin(a, group);
    a->reader = reader;
    a->state = state;
    a->calls = pendings_create(PENDING_CALLS);
    a->order_put = a->order_taken = 0;
    return true;
}

static bool take_record(struct assembler *a, const struct unit *unit, const struct record *record)
{
    struct record r = *record;
    if (!r.payload.at)
        r.payload = (struct span){unit->text.at, 0};
    struct making m = {
        .unit = unit,
        .record = &r,
        .text = r.text.at ? r.text : r.payload,
        .flags = (r.truncated ? ROW_TRUNCATED : 0u) | (r.redacted ? ROW_REDACTED : 0u) |
                 (r.abandoned ? ROW_SIDECHAIN : 0u),
    };
    a->node = a->reader->abandoned ? r.node : 0;
    m.session = assemble_session(a, &r);
    if (!m.session)
        return false;
    if (r.kind == RECORD_MESSAGE)
        return assemble_message(a, &m);
    return a->reader->transcript ? assemble_talk(a, &m) : assemble_start(a, &m);
}

bool assembler_take(struct assembler *a, const struct unit *unit, struct outlet *out,
                    struct err *err)
{
    a->err = err;
    a->unit_event = 0;
    if (out->count && out->records[0].within.at)
        outlet_count_lines(out, unit->text);
    for (size_t i = 0; i < out->count; i++) {
        if (!take_record(a, unit, &out->records[i]))
            return false;
        arena_reset(&a->arena);
    }
    return true;
}

/* Forks that were left, known only now. */
static bool mark_abandoned(struct assembler *a)
{
    for (size_t i = 0; i < spill_count(a->nodes); i++) {
        struct left_node one;
        spill_get(a->nodes, i, &one);
        bool left = a->reader->abandoned(a->state, one.node);
        if ((left || a->resumed) && !store_step_flags(a->c, one.step, left ? ROW_SIDECHAIN : 0,
                                                      left ? 0 : ROW_SIDECHAIN, a->err))
            return false;
    }
    return true;
}

static void leave_unnumbered(struct assembler *a)
{
    for (size_t i = 0; i < a->touched.room; i++)
        if (a->touched.slots[i].used)
            *names_at(&a->unnumbered, a->touched.slots[i].name) = a->touched.slots[i].value;
}

void assembler_left_gaps(struct assembler *a, int64_t session)
{
    *names_at(&a->unnumbered, (struct span){(const char *)&session, sizeof session}) = session;
}

bool assembler_number(struct assembler *a, struct err *err)
{
    a->err = err;
    for (size_t i = 0; i < a->unnumbered.room; i++)
        if (a->unnumbered.slots[i].used &&
            !store_number_steps(a->c, a->unnumbered.slots[i].value, a->err))
            return false;
    names_finish(&a->unnumbered);
    return half_define(a);
}

void assembler_known(struct assembler *a, int64_t source, struct span group,
                     const struct reader *reader)
{
    if (reader && !reader->transcript && !a->options.session.len)
        wire_session_known(a, source, group);
}

bool assembler_resume(struct assembler *a, int64_t source, struct span path, struct span group,
                      const struct reader *reader, void *state, struct err *err)
{
    a->err = err;
    if (!assembler_begin(a, source, path, group, reader, state, err) ||
        !rehearse_begin(a->c, source, err))
        return false;
    assemble_forget_merges(a);
    a->resumed = true;
    a->before = a->counts;
    int64_t session = rehearse_session(a->c);
    if (!reader->transcript)
        return wire_session_resume(a, session);
    a->file_session = session;
    return true;
}

bool assembler_resumed(struct assembler *a, struct err *err)
{
    a->err = err;
    /* The end of the source, then, began the connections that were never answered. */
    bool ended = rehearse_has_step(a->c);
    bool ok = (!ended || assemble_wire_end(a)) && rehearse_end(a->c, err);
    a->counts = a->before;
    return ok;
}

bool assembler_merged(const struct assembler *a)
{
    return a->clock.count;
}

void assembler_set_clock(struct assembler *a, int64_t clock_ns)
{
    a->options.clock_ns = clock_ns;
}

struct clock_offset assembler_clock(struct assembler *a)
{
    return clock_estimate(&a->clock);
}

bool assembler_settle(struct assembler *a, struct err *err)
{
    a->err = err;
    a->resumed = true;
    leave_unnumbered(a);
    return mark_abandoned(a) && assembler_number(a, err);
}

bool assembler_wake(struct assembler *a, struct err *err)
{
    a->err = err;
    assemble_forget_merges(a);
    names_finish(&a->sides);
    names_finish(&a->sessions);
    return load_sessions(a, err);
}

bool assembler_end(struct assembler *a, struct err *err)
{
    a->err = err;
    bool ok = assemble_wire_end(a) && mark_abandoned(a) && wire_session_end(a);
    if (ok) {
        leave_unnumbered(a);
        half_end(a);
        half_keep(a);
    }
    end_source(a);
    return ok;
}
