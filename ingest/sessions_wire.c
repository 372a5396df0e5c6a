/* Which session a wire log belongs to. */
#include "ingest/assembler_internal.h"

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

/* Index of a session of an earlier source that overlaps with this one; SIZE_MAX: none. */
static size_t find_overlap(const struct wire_sessions *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->at[i].id != w->now.id && overlap(&w->at[i], &w->now))
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

static void remember(struct wire_sessions *w)
{
    w->at = mem_one_more(w->at, w->count, &w->size, sizeof *w->at);
    w->at[w->count++] = w->now;
}

bool wire_session_end(struct assembler *a)
{
    struct wire_sessions *w = &a->wires;
    if (!w->now.id || a->options.session.len)
        return true;
    size_t other = w->joined == SIZE_MAX ? find_overlap(w) : w->joined;
    if (other == SIZE_MAX) {
        remember(w);
        return true;
    }
    if (w->joined == SIZE_MAX && !join(a, w->now.id, w->at[other].id))
        return false;
    if (w->now.timed)
        widen(&w->at[other], w->now.first_ns, w->now.last_ns);
    return true;
}
