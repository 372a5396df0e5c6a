#include "ingest/readers/inspect_attachments.h"

#include "base/buf.h"
#include "base/jsonr.h"
#include "ingest/names.h"

static const char scheme[] = "attachment://";

struct attachments {
    struct names hashes; /* their place in `at`, + 1 */
    struct span *at;     /* literals, in the unit */
    size_t count, size;
};

static void attachments_load(struct attachments *a, struct span object)
{
    struct jsonr_items items;
    for (jsonr_items_init(&items, object); jsonr_items_next(&items);) {
        if (!jsonr_is_string(items.value))
            continue;
        a->at = mem_one_more(a->at, a->count, &a->size, sizeof *a->at);
        a->at[a->count++] = items.value;
        *names_at(&a->hashes, items.name) = (int64_t)a->count;
    }
}

/* The literal that a reference stands for; none where there is no such attachment. */
static struct span attachment_of(struct attachments *a, struct span reference)
{
    struct span hash = span_sub(reference, sizeof scheme - 1, reference.len);
    int64_t place = span_starts_with(reference, span_of(scheme)) ? *names_at(&a->hashes, hash) : 0;
    return place ? a->at[place - 1] : (struct span){0};
}

/* All of a text is the attachment's. */
static void attach_whole(struct record *r, struct span literal)
{
    struct span plain;
    bool is_plain = jsonr_plain_string(literal, &plain);
    r->payload = is_plain ? plain : literal;
    r->recipe = is_plain ? NULL : "s;";
}

/* Strings of a JSON value are attachments: its text lies in pieces, theirs and its own. */
static void attach_inside(struct attachments *a, struct outlet *out, const struct unit *unit,
                          struct record *r)
{
    struct stitch pieces = {0};
    struct buf text = {0};
    struct span rest = r->payload, mark = SPAN("\"attachment://");
    bool found = false;
    while (rest.len) {
        size_t at = span_find(rest, mark), end = 0;
        struct span literal = {0};
        if (at < rest.len) {
            end = at + 1 + span_find_byte(span_sub(rest, at + 1, rest.len), '"');
            literal = attachment_of(a, span_sub(rest, at + 1, end - at - 1));
        }
        size_t own = literal.at ? at : at < rest.len ? end : rest.len;
        buf_add(&text, span_sub(rest, 0, own));
        stitch_add(&pieces, unit->offset + (uint64_t)(rest.at - unit->text.at), own);
        if (literal.at) {
            buf_add(&text, literal);
            stitch_add(&pieces, unit->offset + (uint64_t)(literal.at - unit->text.at), literal.len);
            found = true;
            own = end + 1;
        }
        rest = span_sub(rest, own, rest.len);
    }
    if (found) {
        r->payload = arena_copy(outlet_arena(out), buf_span(&text));
        r->stitch = stitch_copy(&pieces, 0, pieces.end, outlet_arena(out));
        r->stitch_at = 0;
    }
    buf_finish(&text);
    stitch_finish(&pieces);
}

void inspect_attach(struct outlet *out, const struct unit *unit, struct span attachments)
{
    struct attachments a = {0};
    if (!jsonr_is_object(attachments) || unit->recipe)
        return;
    attachments_load(&a, attachments);
    for (size_t i = 0; a.count && i < out->count; i++) {
        struct record *r = &out->records[i];
        if (r->recipe || r->stitch || span_find(r->payload, span_of(scheme)) == r->payload.len)
            continue;
        struct span literal = attachment_of(&a, r->payload);
        if (literal.at)
            attach_whole(r, literal);
        else if (jsonr_is_object(r->payload) || jsonr_is_array(r->payload))
            attach_inside(&a, out, unit, r);
    }
    names_finish(&a.hashes);
    mem_free(a.at);
}
