/* Which session a wire log belongs to. */
#include "ingest/assembler_internal.h"

#include <stdlib.h>

/* Clocks of two recorders may differ by this much. */
static const int64_t slack_ns = INT64_C(10000000000);

void wire_session_begin(struct assembler *a, struct span group)
{
    a->wires.now = (struct wire_session){.group = assemble_hash(group)};
    a->wires.joined = SIZE_MAX;
}

static void widen(struct wire_session *s, int64_t first_ns, int64_t last_ns)
{
    if (!s->timed || first_ns < s->first_ns)
        s->first_ns = first_ns;
    if (!s->timed || last_ns > s->last_ns)
        s->last_ns = last_ns;
    s->timed = true;
}

static bool overlap(const struct wire_session *a, const struct wire_session *b)
{
    if (a->group != b->group)
        return false;
    if (!a->timed || !b->timed) /* nothing speaks against it */
        return true;
    return a->first_ns - slack_ns <= b->last_ns && b->first_ns - slack_ns <= a->last_ns;
}

/* ---- sources that the case has ---- */

void wire_sessions_finish(struct wire_sessions *w)
{
    mem_free(w->at);
    mem_free(w->told);
    *w = (struct wire_sessions){0};
}

static void remember(struct wire_sessions *w, const struct wire_session *one)
{
    w->at = mem_one_more(w->at, w->count, &w->size, sizeof *w->at);
    w->at[w->count++] = *one;
}

void wire_session_known(struct assembler *a, int64_t source, struct span group)
{
    remember(&a->wires, &(struct wire_session){.group = assemble_hash(group), .source = source});
}

/* A call of a sub-agent was moved to its session, which was stored after its parent. */
static bool ask_told(struct assembler *a)
{
    struct wire_sessions *w = &a->wires;
    struct stmt *stmt = db_stmt(case_db(a->c),
                                "SELECT source_id, min(session_id), min(time_ns), max(time_ns)"
                                " FROM event GROUP BY source_id ORDER BY source_id",
                                a->err);
    if (!stmt)
        return false;
    int row;
    while ((row = stmt_step(stmt, a->err)) > 0) {
        w->told = mem_one_more(w->told, w->told_count, &w->told_size, sizeof *w->told);
        w->told[w->told_count++] = (struct wire_told){
            .source = stmt_int(stmt, 0),
            .session = stmt_int(stmt, 1),
            .first_ns = stmt_int(stmt, 2),
            .last_ns = stmt_int(stmt, 3),
            .timed = !stmt_is_null(stmt, 2),
        };
    }
    stmt_finish(stmt);
    w->asked = row == 0;
    return w->asked;
}

static int told_by_source(const void *a, const void *b)
{
    const struct wire_told *x = a, *y = b;
    return (x->source > y->source) - (x->source < y->source);
}

static void take_told(struct wire_sessions *w, struct wire_session *s)
{
    const struct wire_told key = {.source = s->source};
    const struct wire_told *told =
        w->told_count ? bsearch(&key, w->told, w->told_count, sizeof key, told_by_source) : NULL;
    s->source = 0;
    if (!told)
        return;
    s->id = told->session;
    if (told->timed)
        widen(s, told->first_ns, told->last_ns);
}

/* Before the sessions of the sources before this one are looked at. */
static bool look_up_known(struct assembler *a)
{
    struct wire_sessions *w = &a->wires;
    for (size_t i = 0; i < w->count; i++) {
        if (!w->at[i].source)
            continue;
        if (!w->asked && !ask_told(a))
            return false;
        take_told(w, &w->at[i]);
    }
    return true;
}

bool wire_session_resume(struct assembler *a, int64_t session)
{
    struct wire_sessions *w = &a->wires;
    w->now.id = session;
    if (!look_up_known(a))
        return false;
    for (size_t i = 0; i < w->count && w->joined == SIZE_MAX; i++)
        if (w->at[i].id == session && w->at[i].group == w->now.group)
            w->joined = i;
    return true;
}

/* ---- the source being read ---- */

/* Index of a session of an earlier source that overlaps with this one; SIZE_MAX: none. */
static size_t find_overlap(const struct wire_sessions *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->at[i].id && w->at[i].id != w->now.id && overlap(&w->at[i], &w->now))
            return i;
    return SIZE_MAX;
}

static bool name_is_free(struct assembler *a, struct span name)
{
    return !*names_at(&a->session_names, name);
}

/* The last folder of a path: "logs" of "/var/logs/a.log"; empty where it names none, or "." */
static struct span sessions_wire_folder_of(struct span path)
{
    size_t end = path.len;
    while (end && path.at[end - 1] != '/')
        end--;
    while (end && path.at[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin && path.at[begin - 1] != '/')
        begin--;
    struct span folder = span_sub(path, begin, end - begin);
    return span_is(folder, ".") || span_is(folder, "..") ? SPAN_EMPTY : folder;
}

/* An own name for a session: `name`, else with its folder, else with a number. */
static struct span assemble_session_name(struct assembler *a, struct span name)
{
    if (name_is_free(a, name))
        return name;
    struct span folder = sessions_wire_folder_of(a->path), longer = name;
    if (folder.len && !span_equal(folder, name))
        longer =
            span_of(arena_printf(&a->source_arena, "%.*s/%.*s", SPAN_ARG(folder), SPAN_ARG(name)));
    while (!name_is_free(a, longer)) {
        int64_t number = ++*names_at(&a->session_names, name);
        longer =
            span_of(arena_printf(&a->source_arena, "%.*s %lld", SPAN_ARG(name), (long long)number));
    }
    return longer;
}

static int64_t begin_session(struct assembler *a)
{
    struct wire_sessions *w = &a->wires;
    if (!look_up_known(a))
        return 0;
    w->joined = find_overlap(w);
    if (w->joined != SIZE_MAX)
        return w->at[w->joined].id;
    struct span folder = sessions_wire_folder_of(a->path);
    struct span name = a->stem;
    if (w->now.group != assemble_hash(SPAN_EMPTY) && folder.len)
        name = folder;
    else if (!w->count && a->options.fallback.len)
        name = a->options.fallback;
    return assemble_new_session(a, SPAN_EMPTY, assemble_session_name(a, name), SPAN_EMPTY, 0);
}

int64_t wire_session_of(struct assembler *a, const struct record *record)
{
    struct wire_session *now = &a->wires.now;
    if (record->time_digits >= 0)
        widen(now, record->time_ns, record->time_ns);
    if (!now->id)
        now->id = a->options.session.len ? assemble_named_session(a, a->options.session, SPAN_EMPTY)
                                         : begin_session(a);
    return now->id;
}

/* The source began before another one, and ended after that one had begun: they are one session. */
static bool join(struct assembler *a, int64_t from, int64_t into)
{
    if (!store_join_sessions(a->c, from, into, a->err))
        return false;
    a->counts.sessions--;
    names_finish(&a->touched);
    *names_at(&a->touched, (struct span){(const char *)&into, sizeof into}) = into;
    return true;
}

bool wire_session_end(struct assembler *a)
{
    struct wire_sessions *w = &a->wires;
    if (!w->now.id || a->options.session.len)
        return true;
    size_t other = w->joined == SIZE_MAX ? find_overlap(w) : w->joined;
    if (other == SIZE_MAX) {
        remember(w, &w->now);
        return true;
    }
    if (w->joined == SIZE_MAX && !join(a, w->now.id, w->at[other].id))
        return false;
    if (w->now.timed)
        widen(&w->at[other], w->now.first_ns, w->now.last_ns);
    return true;
}
