/* Arrays that are longer than the memory that they get. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/spill.h"

struct entry {
    uint64_t a, b;
};

enum { RECORDS = 400000, CHANGES = 20000 }; /* 6 MB, of which 2 MB are in memory */

static void same_as_an_array(void)
{
    struct spill *s = spill_create(sizeof(struct entry));
    struct entry *array = NEW_ARRAY(struct entry, RECORDS), one;
    uint64_t seed = 7;
    for (uint64_t i = 0; i < RECORDS; i++) {
        array[i] = (struct entry){i, ~i};
        spill_add(s, &array[i]);
    }
    cr_assert_eq(spill_count(s), RECORDS);
    for (uint64_t i = 0; i < CHANGES; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t at = (size_t)(seed >> 33) % RECORDS;
        spill_get(s, at, &one);
        cr_assert(one.a == array[at].a && one.b == array[at].b, "%zu", at);
        array[at].b = seed;
        spill_put(s, at, &array[at]);
    }
    for (size_t i = RECORDS; i-- > 0;) {
        spill_get(s, i, &one);
        cr_assert(one.a == array[i].a && one.b == array[i].b, "%zu", i);
    }
    spill_clear(s);
    cr_assert_eq(spill_count(s), 0);
    spill_add(s, &array[9]);
    spill_get(s, 0, &one);
    cr_assert_eq(one.a, 9);
    mem_free(array);
    spill_destroy(s);
}

Test(spill, same_as_an_array)
{
    same_as_an_array();
    setenv("TMPDIR", "/nonexistent", 1); /* then all of it stays in memory */
    same_as_an_array();
}
