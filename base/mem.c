#include "base/mem.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void (*exhausted_hook)(void);

void mem_on_exhausted(void (*hook)(void))
{
    exhausted_hook = hook;
}

void mem_exhausted(void)
{
    static const char line[] =
        "strandline: memory: the system has no more to give; close other programs or use a larger "
        "machine\n";
    if (exhausted_hook)
        exhausted_hook();
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written;
    _exit(5);
}

void *mem_alloc(size_t size)
{
    void *at = calloc(1, size ? size : 1);
    if (!at)
        mem_exhausted();
    return at;
}

void *mem_array(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        mem_exhausted();
    return mem_alloc(bytes);
}

void *mem_resize(void *old, size_t size)
{
    void *at = realloc(old, size ? size : 1);
    if (!at)
        mem_exhausted();
    return at;
}

static size_t doubled(size_t room, size_t size)
{
    enum { ROOM_FIRST = 16 };
    size_t twice = room ? room : ROOM_FIRST / 2, bytes;
    if (__builtin_mul_overflow(twice, 2, &twice) || __builtin_mul_overflow(twice, size, &bytes))
        mem_exhausted();
    return twice;
}

void *mem_more(void *items, size_t *room, size_t size)
{
    *room = doubled(*room, size);
    return mem_resize(items, *room * size);
}

void *mem_reserve(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);
    if (at == MAP_FAILED)
        mem_exhausted();
    return at;
}

void mem_unreserve(void *at, size_t size)
{
    if (at)
        munmap(at, size);
}

void mem_scattered(void *at, size_t size)
{
#ifdef MADV_HUGEPAGE
    enum { PAGE = 1 << 16, LARGE = 2 << 20 }; /* no page of any kernel is larger than PAGE */
    size_t before = (PAGE - (uintptr_t)at % PAGE) % PAGE;
    if (size >= LARGE) /* where the kernel has none, nothing changes */
        (void)madvise((char *)at + before, (size - before) / PAGE * PAGE, MADV_HUGEPAGE);
#else
    (void)at;
    (void)size;
#endif
}

void mem_free(void *at)
{
    free(at);
}

struct arena_block {
    struct arena_block *older;
    size_t size;
    alignas(max_align_t) char bytes[];
};

enum { ARENA_FIRST = 4096, ARENA_LARGEST = 1 << 20 };

void arena_init(struct arena *arena)
{
    *arena = (struct arena){0};
}

static void free_blocks(struct arena_block *block)
{
    while (block) {
        struct arena_block *older = block->older;
        mem_free(block);
        block = older;
    }
}

void arena_finish(struct arena *arena)
{
    free_blocks(arena->blocks);
    arena_init(arena);
}

void arena_reset(struct arena *arena)
{
    struct arena_block *kept = arena->blocks;
    if (!kept)
        return;
    free_blocks(kept->older);
    kept->older = NULL;
    if (kept->size > ARENA_LARGEST) { /* one giant message must not be paid for ever after */
        arena_finish(arena);
        return;
    }
    arena->used = 0;
    arena->total = kept->size;
}

static void add_block(struct arena *arena, size_t at_least)
{
    size_t size = arena->size ? arena->size * 2 : ARENA_FIRST;
    if (size > ARENA_LARGEST)
        size = ARENA_LARGEST;
    if (size < at_least)
        size = at_least;
    size_t with_head;
    if (__builtin_add_overflow(size, sizeof(struct arena_block), &with_head))
        mem_exhausted();
    struct arena_block *block = mem_resize(NULL, with_head);
    block->older = arena->blocks;
    block->size = size;
    arena->blocks = block;
    arena->used = 0;
    arena->size = size;
    arena->total += size;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    const size_t unit = alignof(max_align_t);
    if (size > SIZE_MAX - unit)
        mem_exhausted();
    size_t rounded = (size + unit - 1) / unit * unit;
    if (!arena->blocks || arena->size - arena->used < rounded)
        add_block(arena, rounded);
    void *at = arena->blocks->bytes + arena->used;
    arena->used += rounded;
    return memset(at, 0, rounded);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        mem_exhausted();
    return arena_alloc(arena, bytes);
}

void *arena_one_more(struct arena *arena, void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    *room = doubled(*room, size);
    void *more = arena_array(arena, *room, size);
    return count ? memcpy(more, items, count * size) : more;
}

const char *arena_cstr(struct arena *arena, struct span s)
{
    char *copy = arena_alloc(arena, s.len + 1);
    if (s.len)
        memcpy(copy, s.at, s.len);
    return copy;
}

struct span arena_copy(struct arena *arena, struct span s)
{
    return (struct span){arena_cstr(arena, s), s.len};
}

const char *arena_printf(struct arena *arena, const char *format, ...)
{
    assert(format);
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(arena, (size_t)(len < 0 ? 0 : len) + 1);
    vsnprintf(text, (size_t)(len < 0 ? 0 : len) + 1, format, again);
    va_end(again);
    return text;
}
