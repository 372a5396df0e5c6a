#include "base/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

enum {
    SPILL_PAGE = 64 * 1024,
    SPILL_SLOTS = 32, /* pages that are in memory */
};

struct slot {
    char *bytes;
    size_t page;
    bool dirty, used; /* used: since the hand passed by */
};

struct spill {
    size_t record, in_page, count;
    struct slot *slots;
    size_t slot_count, slot_size, hand;
    uint32_t *slot_of; /* a page's slot + 1; 0: it is in the file */
    size_t pages, pages_size;
    size_t last; /* slot that was used last */
    int fd;      /* -1: none yet, or none to be had */
    bool stuck;  /* the file can't be written: what is in memory stays there */
};

struct spill *spill_create(size_t record_bytes)
{
    struct spill *s = NEW(struct spill);
    s->record = record_bytes;
    s->in_page = SPILL_PAGE / record_bytes;
    s->fd = -1;
    return s;
}

void spill_destroy(struct spill *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->slot_count; i++)
        mem_free(s->slots[i].bytes);
    mem_free(s->slots);
    mem_free(s->slot_of);
    if (s->fd >= 0)
        close(s->fd);
    mem_free(s);
}

size_t spill_count(const struct spill *s)
{
    return s->count;
}

/* ---- the file ---- */

static int open_nameless(void)
{
    const char *folder = getenv("TMPDIR");
    char name[512];
    if (!folder || !*folder)
        folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd >= 0 || snprintf(name, sizeof name, "%s/strandline-XXXXXX", folder) >= (int)sizeof name)
        return fd;
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

/* False: the page stays in memory. */
static bool write_page(struct spill *s, const struct slot *slot)
{
    if (s->fd < 0)
        s->fd = open_nameless();
    for (size_t done = 0; s->fd >= 0 && done < SPILL_PAGE;) {
        ssize_t n = pwrite(s->fd, slot->bytes + done, SPILL_PAGE - done,
                           (off_t)(slot->page * SPILL_PAGE + done));
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return s->fd >= 0;
}

static void read_page(const struct spill *s, struct slot *slot)
{
    for (size_t done = 0; done < SPILL_PAGE;) {
        ssize_t n = pread(s->fd, slot->bytes + done, SPILL_PAGE - done,
                          (off_t)(slot->page * SPILL_PAGE + done));
        if (n == 0 || (n < 0 && errno != EINTR))
            mem_exhausted(); /* what was put there is needed, as memory is */
        done += n > 0 ? (size_t)n : 0;
    }
}

/* ---- pages ---- */

static size_t add_slot(struct spill *s)
{
    s->slots = mem_one_more(s->slots, s->slot_count, &s->slot_size, sizeof *s->slots);
    s->slots[s->slot_count] = (struct slot){.bytes = mem_alloc(SPILL_PAGE)};
    return s->slot_count++;
}

/* A slot that holds no page: a new one, or one whose page has gone to the file. */
static size_t free_slot(struct spill *s)
{
    while (s->slot_count >= SPILL_SLOTS && !s->stuck) {
        size_t at = s->hand++ % s->slot_count;
        struct slot *slot = &s->slots[at];
        bool used = slot->used;
        slot->used = false;
        if (used)
            continue;
        s->stuck = slot->dirty && !write_page(s, slot);
        if (s->stuck)
            break;
        s->slot_of[slot->page] = 0;
        return at;
    }
    return add_slot(s);
}

static void place_page(struct spill *s, size_t page, size_t at)
{
    s->slots[at].page = page;
    s->slots[at].dirty = false;
    s->slot_of[page] = (uint32_t)at + 1;
}

static void add_page(struct spill *s)
{
    size_t at = free_slot(s);
    s->slot_of = mem_one_more(s->slot_of, s->pages, &s->pages_size, sizeof *s->slot_of);
    place_page(s, s->pages++, at);
    memset(s->slots[at].bytes, 0, SPILL_PAGE);
}

static char *record_at(struct spill *s, size_t index, bool dirty)
{
    size_t page = index / s->in_page, at = s->last;
    if (at >= s->slot_count || s->slots[at].page != page || s->slot_of[page] != at + 1) {
        if (!s->slot_of[page]) {
            size_t taken = free_slot(s);
            place_page(s, page, taken);
            read_page(s, &s->slots[taken]);
        }
        at = s->last = s->slot_of[page] - 1;
    }
    struct slot *slot = &s->slots[at];
    slot->used = true;
    slot->dirty = slot->dirty || dirty;
    return slot->bytes + index % s->in_page * s->record;
}

void spill_add(struct spill *s, const void *record)
{
    if (s->count == s->pages * s->in_page)
        add_page(s);
    memcpy(record_at(s, s->count++, true), record, s->record);
}

void spill_get(struct spill *s, size_t index, void *record)
{
    memcpy(record, record_at(s, index, false), s->record);
}

void spill_put(struct spill *s, size_t index, const void *record)
{
    memcpy(record_at(s, index, true), record, s->record);
}

void spill_clear(struct spill *s)
{
    for (size_t i = 0; i < s->slot_count; i++)
        mem_free(s->slots[i].bytes);
    s->slot_count = s->pages = s->count = s->hand = s->last = 0;
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}
