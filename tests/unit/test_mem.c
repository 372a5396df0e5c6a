#include <criterion/criterion.h>

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

Test(mem, blocks)
{
    unsigned char *bytes = mem_alloc(1000);
    for (size_t i = 0; i < 1000; i++)
        cr_assert_eq(bytes[i], 0);
    bytes[7] = 9;
    bytes = mem_resize(bytes, 5000);
    cr_assert_eq(bytes[7], 9);
    mem_free(bytes);
    mem_free(NULL);
    void *none = mem_alloc(0);
    cr_assert_not_null(none);
    mem_free(none);
    none = mem_resize(NULL, 0);
    cr_assert_not_null(none);
    mem_free(none);
}

/* An array that grows by one keeps what is in it, and its room never falls short. */
Test(mem, one_more)
{
    struct arena arena = {0};
    int *own = NULL, *lent = NULL;
    size_t own_room = 0, lent_room = 0;
    for (int i = 0; i < 1000; i++) {
        own = mem_one_more(own, (size_t)i, &own_room, sizeof *own);
        lent = arena_one_more(&arena, lent, (size_t)i, &lent_room, sizeof *lent);
        cr_assert(own_room > (size_t)i && lent_room > (size_t)i);
        own[i] = lent[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        cr_assert(own[i] == i && lent[i] == i);
    mem_free(own);
    arena_finish(&arena);
}

Test(mem, arena)
{
    struct arena arena = {0};
    for (size_t i = 1; i < 3000; i++) {
        char *at = arena_alloc(&arena, i);
        cr_assert_eq((uintptr_t)at % alignof(max_align_t), 0);
        for (size_t k = 0; k < i; k++)
            cr_assert_eq(at[k], 0);
        memset(at, 0xff, i);
    }
    struct span copy = arena_copy(&arena, SPAN("a\0b"));
    cr_assert(span_equal(copy, SPAN("a\0b")));
    cr_assert_eq(copy.at[3], '\0');
    cr_assert_str_eq(arena_cstr(&arena, SPAN_EMPTY), "");
    cr_assert_str_eq(arena_printf(&arena, "%d of %s", 3, "many"), "3 of many");
    size_t before = arena.total;
    arena_reset(&arena);
    cr_assert_lt(arena.total, before);
    cr_assert_gt(arena.total, 0, "one block is kept");
    char *again = arena_alloc(&arena, 3000);
    for (size_t k = 0; k < 3000; k++)
        cr_assert_eq(again[k], 0, "zeroed the second time too");
    arena_alloc(&arena, 8 << 20);
    arena_reset(&arena);
    cr_assert_eq(arena.total, 0, "a giant block is not kept");
    arena_finish(&arena);
    arena_reset(&arena);
    arena_finish(&arena);
}

static void hook(void)
{
    static const char line[] = "hook ran\n";
    cr_assert_eq(write(STDERR_FILENO, line, sizeof line - 1), (ssize_t)sizeof line - 1);
}

static struct arena empty;
static void array_too_large(void)
{
    mem_array(SIZE_MAX / 2, 3);
}
static void arena_array_too_large(void)
{
    arena_array(&empty, SIZE_MAX / 2, 3);
}
static void room_too_large(void)
{
    size_t room = SIZE_MAX / 4;
    mem_one_more(NULL, room, &room, 3);
}
static void arena_too_large(void)
{
    arena_alloc(&empty, SIZE_MAX - 3);
}
static void arena_block_too_large(void)
{
    arena_alloc(&empty, SIZE_MAX - 20);
}

/* Products and sums that don't fit end the program as running out does: hook, one line, status 5.
 */
Test(mem, running_out)
{
    static void (*const ways[])(void) = {array_too_large, arena_array_too_large, room_too_large,
                                         arena_too_large, arena_block_too_large};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        int ends[2], status;
        char said[512] = "";
        size_t len = 0;
        cr_assert_eq(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            dup2(ends[1], STDERR_FILENO);
            mem_on_exhausted(hook);
            ways[i]();
            _exit(0);
        }
        close(ends[1]);
        for (ssize_t got; (got = read(ends[0], said + len, sizeof said - 1 - len)) > 0;)
            len += (size_t)got;
        close(ends[0]);
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 5, "way %zu", i);
        cr_assert(span_starts_with(span_of(said), SPAN("hook ran\nstrandline: memory: ")),
                  "way %zu: %s", i, said);
        cr_assert_eq(said[len - 1], '\n');
    }
}
