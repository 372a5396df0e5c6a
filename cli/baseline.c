#include "cli/baseline.h"

#include <stdlib.h>

#include "base/jsonr.h"
#include "cli/files.h"

static int baseline_compare(const void *a, const void *b)
{
    return span_compare(*(const struct span *)a, *(const struct span *)b);
}

bool baseline_load(struct baseline *b, const char *path, struct err *err)
{
    *b = (struct baseline){0};
    if (!path)
        return true;
    if (!file_read(path, &b->text, err))
        return false;
    enum jsonr_fault fault;
    size_t at;
    struct span findings;
    if (!jsonr_valid(buf_span(&b->text), &fault, &at))
        return err_set(err, ERR_INPUT, path, "write it with 'strandline check --json'",
                       "byte %zu: %s", at, jsonr_fault_text(fault));
    if (!jsonr_member(span_trim(buf_span(&b->text)), "findings", &findings))
        return err_set(err, ERR_INPUT, path, "write it with 'strandline check --json'",
                       "no member \"findings\"");
    struct jsonr_items items;
    size_t room = 0;
    for (jsonr_items_init(&items, findings); jsonr_items_next(&items);)
        room++;
    b->ids = arena_array(&b->arena, room + 1, sizeof *b->ids);
    b->seen = arena_array(&b->arena, room + 1, sizeof *b->seen);
    struct span id;
    for (jsonr_items_init(&items, findings); jsonr_items_next(&items);)
        if (jsonr_member(items.value, "id", &id) && jsonr_plain_string(id, &id))
            b->ids[b->count++] = id;
    qsort(b->ids, b->count, sizeof *b->ids, baseline_compare);
    b->loaded = true;
    return true;
}

void baseline_finish(struct baseline *b)
{
    buf_finish(&b->text);
    arena_finish(&b->arena);
}

bool baseline_has(const struct baseline *b, struct span id)
{
    const struct span *hit =
        b->count ? bsearch(&id, b->ids, b->count, sizeof *b->ids, baseline_compare) : NULL;
    if (hit)
        b->seen[hit - b->ids] = true;
    return hit != NULL;
}

void baseline_json_absent(const struct baseline *b, struct json *j)
{
    json_array(j, "absent");
    for (size_t i = 0; i < b->count; i++)
        if (!b->seen[i])
            json_string(j, NULL, b->ids[i]);
    json_end(j);
}
