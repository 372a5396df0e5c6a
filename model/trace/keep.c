#include "model/trace/keep.h"

enum {
    KEEP_PAGE = 1 << 10,  /* places */
    KEEP_LARGE = 1 << 20, /* bytes: from here on it has its full size; pages that nobody touched
                        cost nothing */
    KEEP_RING = 1 << 16,  /* bytes to begin with */
};

void kept_list_init(struct kept_list *list, size_t bytes, size_t slots, bool for_ever)
{
    *list = (struct kept_list){.most = KEEP_RING};
    while (list->most < bytes)
        list->most *= 2;
    list->page_count = 2 * list->most / KEEP_PAGE;
    list->pages = NEW_ARRAY(uint32_t, list->page_count);
    index_init(&list->index, slots, for_ever ? UINT64_MAX : bytes);
}

void kept_list_finish(struct kept_list *list)
{
    mem_free(list->ring);
    mem_free(list->items);
    mem_free(list->pages);
    index_finish(&list->index);
}

size_t kept_list_memory(const struct kept_list *list)
{
    return index_memory(&list->index) + list->size + list->room * sizeof(*list->items) +
           list->page_count * sizeof(*list->pages);
}

/* Until the ring has its full size nothing in it has gone round, and places stay where they are. */
static void grow_ring(struct kept_list *list, uint64_t end)
{
    size_t size = list->size ? list->size : KEEP_RING;
    while (size < end && size < list->most)
        size = size < KEEP_LARGE ? size * 2 : list->most;
    if (size == list->size)
        return;
    list->ring = mem_resize(list->ring, size);
    mem_scattered(list->ring, size);
    list->size = size;
    for (size_t i = list->first; i < list->end; i++)
        list->items[i].said.text.at = list->ring + list->items[i].base;
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
    if (base % list->most + need > list->most) /* a text lies in one piece */
        base += list->most - base % list->most;
    grow_ring(list, base + need);
    while (list->first < list->end && list->items[list->first].base + list->most < base + need)
        list->lost_before = list->items[list->first++].said.n + 1;
    char *copy = list->ring + base % list->most;
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
    *offset = (size_t)(index_running(&list->index, place) & (list->most - 1));
    return (struct span){list->ring, list->next < list->size ? (size_t)list->next : list->size};
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
