#include "model/trace/keep.h"

enum {
    KEEP_PAGE = 1 << 10,  /* places */
    KEEP_LARGE = 1 << 20, /* bytes: from here on large pages are worth it */
    KEEP_RING = 1 << 16,  /* bytes at least */
};

void kept_list_init(struct kept_list *list, size_t bytes, size_t slots, bool for_ever)
{
    *list = (struct kept_list){.size = KEEP_RING};
    while (list->size < bytes)
        list->size *= 2;
    list->ring = mem_reserve(list->size);
    list->page_count = 2 * list->size / KEEP_PAGE;
    list->pages = NEW_ARRAY(uint32_t, list->page_count);
    index_init(&list->index, slots, for_ever ? UINT64_MAX : bytes);
}

void kept_list_finish(struct kept_list *list)
{
    mem_unreserve(list->ring, list->size);
    mem_free(list->items);
    mem_free(list->pages);
    index_finish(&list->index);
}

/* Of the ring, what was used so far. */
static size_t ring_used(const struct kept_list *list)
{
    return list->next < list->size ? (size_t)list->next : list->size;
}

size_t kept_list_memory(const struct kept_list *list)
{
    return index_memory(&list->index) + ring_used(list) + list->room * sizeof(*list->items) +
           list->page_count * sizeof(*list->pages);
}

/* Room at the end of the items; what is dead at their front is moved over first. */
static struct kept *push_item(struct kept_list *list)
{
    if (list->end == list->room && list->first > list->room / 2) {
        memmove(list->items, list->items + list->first,
                (list->end - list->first) * sizeof(*list->items));
        list->end -= list->first;
        list->gone += list->first;
        list->first = 0;
    } else {
        list->items = mem_one_more(list->items, list->end, &list->room, sizeof *list->items);
    }
    return &list->items[list->end++];
}

const struct kept *kept_list_add(struct kept_list *list, const struct trace_text *said,
                                 const struct encoded *run)
{
    size_t len = said->text.len, need = len + 1 < KEEP_LEAST ? KEEP_LEAST : len + 1;
    uint64_t page = (list->next + KEEP_PAGE - 1) / KEEP_PAGE, base = list->next;
    if (base % list->size + need > list->size) /* a text lies in one piece */
        base += list->size - base % list->size;
    if (list->next < KEEP_LARGE && base + need >= KEEP_LARGE)
        mem_scattered(list->ring, list->size);
    while (list->first < list->end && list->items[list->first].base + list->size < base + need)
        list->lost_before = list->items[list->first++].said.n + 1;
    char *copy = list->ring + base % list->size;
    memcpy(copy, said->text.at, len);
    struct kept *kept = push_item(list);
    *kept = (struct kept){.said = *said, .run = *run, .base = base};
    kept->said.text = (struct span){copy, len};
    list->next = list->index.next = base + need;
    list->index.live_from = list->items[list->first].base;
    for (; page <= (list->next - 1) / KEEP_PAGE; page++)
        list->pages[page & (list->page_count - 1)] = (uint32_t)(list->gone + list->end - 1);
    return kept;
}

/* The live item that the first place of a page is in, or the first live one. */
static size_t page_item(const struct kept_list *list, uint64_t page)
{
    uint32_t item = list->pages[page & (list->page_count - 1)] - (uint32_t)list->gone;
    return item >= list->first && item < list->end ? item : list->first;
}

struct span keep_around(const struct kept_list *list, uint32_t place, size_t *offset)
{
    *offset = (size_t)(index_running(&list->index, place) & (list->size - 1));
    return (struct span){list->ring, ring_used(list)};
}

const struct kept *keep_at(const struct kept_list *list, uint32_t place, size_t *offset)
{
    uint64_t running = index_running(&list->index, place);
    uint64_t page = running / KEEP_PAGE;
    size_t low = page_item(list, page), high = list->end;
    if ((page + 1) * KEEP_PAGE < list->next)
        high = page_item(list, page + 1) + 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle].base <= running)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == list->first)
        return NULL;
    const struct kept *kept = &list->items[low - 1];
    *offset = (size_t)(running - kept->base);
    return *offset < kept->said.text.len ? kept : NULL;
}
