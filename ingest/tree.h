/*
 * The tree that a transcript's lines make by naming their parents: forks where
 * the person went back and asked something else, side chains of sub-agents,
 * parents that are missing, and, in damaged files, cycles.
 *
 * A few megabytes, however many lines there are (base/spill.h).
 */
#ifndef STRANDLINE_INGEST_TREE_H
#define STRANDLINE_INGEST_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

struct tree;

enum node_kind {
    NODE_OTHER, /* can't begin a fork: results, attachments, notices */
    NODE_PROMPT,
    NODE_ASSISTANT,
};

/* Never NULL; the caller's. */
struct tree *tree_create(void);
void tree_destroy(struct tree *tree); /* NULL is fine */

/*
 * Adds a line. `group` tells lines of one assistant message (their message id);
 * may be empty. A parent that belongs to another `owner` (a session that this one
 * was branched from) is none: each has a path of its own. Returns its node, from 1.
 */
uint32_t tree_add(struct tree *tree, struct span name, struct span parent, enum node_kind kind,
                  struct span group, struct span owner);
/* The line is of no interest, but others may name it as their parent: they get its parent. Of these
 * names the last hundred thousand or so are remembered, whatever their number. */
void tree_pass(struct tree *tree, struct span name, struct span parent);
/* The node of that name; 0: none. */
uint32_t tree_find(struct tree *tree, struct span name);

/*
 * Is the node off the path that leads to the last line of its tree? A fork is
 * left where a prompt or another message of the model stands beside the path;
 * results of parallel calls are none.
 */
bool tree_abandoned(struct tree *tree, uint32_t node);

#endif
