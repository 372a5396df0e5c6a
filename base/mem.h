/*
 * Memory. Running out ends the program cleanly: the hooks run (the terminal is
 * restored), one line is printed, exit status 5. The case is intact, since
 * nothing is committed half.
 */
#ifndef STRANDLINE_BASE_MEM_H
#define STRANDLINE_BASE_MEM_H

#include <stddef.h>

#include "base/attr.h"
#include "base/span.h"

/* Zeroed bytes; never NULL. Release with mem_free (NULL is fine). */
void *mem_alloc(size_t size) ATTR_MALLOC;
void *mem_array(size_t count, size_t size) ATTR_MALLOC; /* checks the product */
void *mem_resize(void *old, size_t size) ATTR_NEVER_NULL;
void mem_free(void *at);
/* Twice the room for items of `size` bytes, for mem_one_more. */
void *mem_more(void *items, size_t *room, size_t size) ATTR_NEVER_NULL;
/* The array with room for one more item behind `count`: it may have moved, and *room is how many
 * fit. NULL and 0 are an array without items. What is new is not zeroed. */
static inline void *mem_one_more(void *items, size_t count, size_t *room, size_t size)
{
    return count < *room ? items : mem_more(items, room, size);
}
/* Zeroed pages of which only those that are touched take memory; never NULL. For tables that grow
 * where they are. Release with mem_unreserve (NULL is fine). */
void *mem_reserve(size_t size) ATTR_NEVER_NULL;
void mem_unreserve(void *at, size_t size);
/* A hint: these bytes, not touched yet, will be read here and there. Large pages then spare most
 * of the page faults and of the translation of addresses. */
void mem_scattered(void *at, size_t size);

#define NEW(type)          ((type *)mem_alloc(sizeof(type)))
#define NEW_ARRAY(type, n) ((type *)mem_array((n), sizeof(type)))

/* Called before the program ends for want of memory. One hook; NULL for none. */
void mem_on_exhausted(void (*hook)(void));
void mem_exhausted(void) ATTR_NORETURN;

/*
 * An arena: things that live as long as a message, a step or a screen, and go
 * all at once. Embedded by value; zero-initialised is valid and empty.
 */
struct arena_block;
struct arena {
    struct arena_block *blocks; /* newest first */
    size_t used, size;          /* of the newest block */
    size_t total;               /* bytes held from the system */
};

/* Empty, owning nothing; finish frees all that was taken from it. */
void arena_init(struct arena *arena);
void arena_finish(struct arena *arena);
/* Forgets all, keeps one block for the next round. */
void arena_reset(struct arena *arena);
/* Zeroed, aligned for any type; never NULL. */
void *arena_alloc(struct arena *arena, size_t size) ATTR_MALLOC;
void *arena_array(struct arena *arena, size_t count, size_t size) ATTR_MALLOC;
/* As mem_one_more, for an array in the arena: the old one stays there until all goes. */
void *arena_one_more(struct arena *arena, void *items, size_t count, size_t *room, size_t size);
/* A copy of the bytes (and a NUL behind them, not counted). */
struct span arena_copy(struct arena *arena, struct span s);
const char *arena_cstr(struct arena *arena, struct span s);
const char *arena_printf(struct arena *arena, const char *format, ...) ATTR_PRINTF(2, 3);

#endif
