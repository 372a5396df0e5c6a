#include "model/evidence/jcs_changes.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/mem.h"

void jcs_changes_add(struct jcs_changes *c, const struct jcs_change *change)
{
    c->at = mem_one_more(c->at, c->count, &c->size, sizeof *c->at);
    c->at[c->count++] = *change;
}

void jcs_changes_finish(struct jcs_changes *changes)
{
    mem_free(changes->at);
    *changes = (struct jcs_changes){0};
}

static int by_in(const void *left, const void *right)
{
    const struct jcs_change *a = left, *b = right;
    if (a->in != b->in)
        return a->in < b->in ? -1 : 1;
    return (a->in_len < b->in_len) - (a->in_len > b->in_len);
}

void jcs_changes_sort(struct jcs_changes *changes)
{
    if (changes->count)
        qsort(changes->at, changes->count, sizeof *changes->at, by_in);
}

/* ---- after members moved ---- */

/* Where the value ends that the comma or brace at `end`, or the next name, is behind. */
static size_t end_of_value(struct span text, size_t end)
{
    while (text.at[end - 1] == ',' || ascii_is_one_of(text.at[end - 1], " \t\r\n"))
        end--;
    return end;
}

void jcs_trace_moved(void *context, const struct reorder_placed *m, size_t out)
{
    struct jcs_trace *trace = context;
    size_t end = end_of_value(trace->text, m->source_end);
    struct jcs_change moved = {JCS_MOVED, m->source, end - m->source, out, m->end - m->begin};
    jcs_changes_add(trace->changes, &moved);
}

void jcs_trace_piece(void *context, size_t from, size_t len, size_t to)
{
    struct jcs_trace *trace = context;
    trace->pieces = mem_one_more(trace->pieces, trace->count, &trace->size, sizeof *trace->pieces);
    trace->pieces[trace->count++] = (struct jcs_piece){from, len, to};
}

static int by_from(const void *left, const void *right)
{
    const struct jcs_piece *a = left, *b = right;
    return (a->from > b->from) - (a->from < b->from);
}

/* An offset of the output before members moved, after. What lay between two pieces (a comma) lies
 * behind the first of them. */
static size_t carried(const struct jcs_trace *trace, size_t at)
{
    size_t low = 0, high = trace->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (trace->pieces[middle].from <= at)
            low = middle;
        else
            high = middle;
    }
    const struct jcs_piece *piece = &trace->pieces[low];
    size_t inside = at > piece->from ? at - piece->from : 0;
    return piece->to + (inside < piece->len ? inside : piece->len);
}

void jcs_trace_finish(struct jcs_trace *trace, size_t listed)
{
    if (trace->count) {
        qsort(trace->pieces, trace->count, sizeof *trace->pieces, by_from);
        for (size_t i = 0; i < listed; i++)
            trace->changes->at[i].out = carried(trace, trace->changes->at[i].out);
    }
    mem_free(trace->pieces);
}
