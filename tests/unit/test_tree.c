/* Trees of transcripts with more lines than their names are kept in memory of. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "ingest/tree.h"

static uint32_t add(struct tree *tree, long line, long parent, enum node_kind kind)
{
    char name[32], above[32];
    int n = snprintf(name, sizeof name, "line %ld", line);
    int p = parent < 0 ? 0 : snprintf(above, sizeof above, "line %ld", parent);
    return tree_add(tree, (struct span){name, (size_t)n}, (struct span){above, (size_t)p}, kind,
                    SPAN_EMPTY, SPAN("s"));
}

/* A line of 400000, from an early one of which the person went on with another question; that line
 * goes on, and a question in the middle of it is asked once more. */
Test(tree, forks_from_lines_long_ago)
{
    enum { LINES = 400000, EARLY = 1000, MIDDLE = 200000 };
    struct tree *tree = tree_create();
    for (long i = 0; i < LINES; i++)
        cr_assert_eq(add(tree, i, i - 1, i % 2 ? NODE_ASSISTANT : NODE_PROMPT), i + 1);
    cr_assert(!tree_abandoned(tree, EARLY) && !tree_abandoned(tree, LINES));
    cr_assert_eq(tree_find(tree, SPAN("line 1000")), 1001);
    cr_assert_eq(tree_find(tree, SPAN("line of nobody")), 0);
    uint32_t again = add(tree, LINES, MIDDLE - 1, NODE_PROMPT);
    cr_assert(!tree_abandoned(tree, MIDDLE) && tree_abandoned(tree, MIDDLE + 1));
    cr_assert(!tree_abandoned(tree, again));
    uint32_t early = add(tree, LINES + 1, EARLY - 1, NODE_PROMPT);
    cr_assert(!tree_abandoned(tree, EARLY) && tree_abandoned(tree, EARLY + 1));
    cr_assert(tree_abandoned(tree, MIDDLE) && tree_abandoned(tree, again));
    cr_assert(!tree_abandoned(tree, early));
    tree_destroy(tree);
}

/* Answers to calls made at once stand beside the path, and belong to it; so do lines of one
 * message. A missing parent makes a tree of its own. */
Test(tree, what_is_no_fork)
{
    struct tree *tree = tree_create();
    struct span m = SPAN("message"), s = SPAN("s");
    uint32_t a = tree_add(tree, SPAN("a"), SPAN_EMPTY, NODE_PROMPT, SPAN_EMPTY, s);
    uint32_t b = tree_add(tree, SPAN("b"), SPAN("a"), NODE_ASSISTANT, m, s);
    uint32_t c = tree_add(tree, SPAN("c"), SPAN("b"), NODE_ASSISTANT, m, s);
    uint32_t d = tree_add(tree, SPAN("d"), SPAN("b"), NODE_OTHER, SPAN_EMPTY, s);
    uint32_t e = tree_add(tree, SPAN("e"), SPAN("b"), NODE_ASSISTANT, SPAN("other"), s);
    uint32_t f = tree_add(tree, SPAN("f"), SPAN("d"), NODE_ASSISTANT, SPAN("third"), s);
    uint32_t g = tree_add(tree, SPAN("g"), SPAN("nobody"), NODE_PROMPT, SPAN_EMPTY, s);
    cr_assert(!tree_abandoned(tree, a) && !tree_abandoned(tree, b) && !tree_abandoned(tree, c));
    cr_assert(!tree_abandoned(tree, d) && tree_abandoned(tree, e));
    cr_assert(!tree_abandoned(tree, f) && !tree_abandoned(tree, g));
    tree_destroy(tree);
}
