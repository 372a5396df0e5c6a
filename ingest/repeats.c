#include "ingest/repeats.h"

#include "base/hash.h"

void repeats_finish(struct repeats *repeats)
{
    names_finish(&repeats->said);
    names_finish(&repeats->given);
}

static int64_t *times_of(struct names *names, struct arena *arena, const struct record *r)
{
    struct span text = r->call_id.len ? r->call_id : r->text.at ? r->text : r->payload;
    uint64_t hash = hash_of(text);
    const char *key = arena_printf(arena, "%d %d %zu %llx %.*s", (int)r->kind, r->system, text.len,
                                   (unsigned long long)hash, SPAN_ARG(r->session));
    return names_at(names, span_of(key));
}

void repeats_drop(struct repeats *repeats, struct outlet *out, size_t first, bool input)
{
    size_t kept = first;
    struct arena *arena = outlet_arena(out);
    names_finish(&repeats->given);
    for (size_t i = first; i < out->count; i++) {
        struct record r = out->records[i];
        bool call = r.kind == RECORD_CALL || r.kind == RECORD_RESULT;
        int64_t *said = times_of(&repeats->said, arena, &r);
        int64_t before = *said, now = ++*times_of(&repeats->given, arena, &r);
        bool known = (input || (call && r.call_id.len)) && now <= before;
        *said = input ? (now > before ? now : before) : before + 1;
        if (!known)
            out->records[kept++] = r;
    }
    out->count = kept;
}

void asked_note(struct asked *asked, const struct outlet *out, size_t first)
{
    for (size_t i = first; i < out->count; i++) {
        const struct record *r = &out->records[i];
        if (r->kind != RECORD_CALL || !r->call_id.len || r->call_id.len > ASKED_SIZE ||
            r->tool.len > ASKED_SIZE)
            continue;
        struct asked_call *call = &asked->calls[asked->next++ % ASKED_MOST];
        call->id_len = r->call_id.len;
        call->name_len = r->tool.len;
        memcpy(call->id, r->call_id.at, call->id_len);
        memcpy(call->name, r->tool.at ? r->tool.at : "", call->name_len);
    }
}

bool asked_take(struct asked *asked, struct record *call, struct arena *arena)
{
    for (size_t i = 0; i < ASKED_MOST; i++) {
        struct asked_call *one = &asked->calls[(asked->next + i) % ASKED_MOST];
        struct span name = {one->name, one->name_len}, id = {one->id, one->id_len};
        if (!id.len || !span_equal(name, call->tool) ||
            (call->call_id.len && !span_equal(id, call->call_id)))
            continue;
        call->call_id = arena_copy(arena, id);
        one->id_len = 0;
        return true;
    }
    return false;
}
