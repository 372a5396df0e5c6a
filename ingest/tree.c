#include "ingest/tree.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/spill.h"

struct node {
    uint32_t parent; /* 0: none, or not in the file */
    uint32_t group;  /* hash of the message's id; 0: none */
    uint32_t owner;  /* hash of the session */
    uint32_t last;   /* of the nodes below it and itself: known once the tree is solved */
    uint8_t kind;
    bool on_path, abandoned;
};

struct name {
    uint64_t hash;
    uint32_t node; /* 0: this place is free */
};

/* Names that came last are in a table; each time it is full, all of them go behind those before, in
 * order of their hashes. */
enum { NAMES_KEPT = 1 << 17 };

/* A line of no interest that may be named as a parent. Nine of ten lines of a big file are such,
 * and they are named by the next few lines or never: the place is the next one's of that hash. */
enum { PASSED_KEPT = 1 << 17 };

struct tree {
    struct spill *nodes; /* the first is no node */
    struct name *names;
    size_t used, room;   /* room: a power of two */
    struct spill *older; /* names, NAMES_KEPT in each run */
    struct name *passed; /* PASSED_KEPT of them; NULL: none yet */
    bool solved;
};

static uint64_t tree_hash_of(struct span s)
{
    uint64_t hash = hash_of(s);
    return hash ^ hash >> 29;
}

struct tree *tree_create(void)
{
    struct tree *tree = NEW(struct tree);
    tree->nodes = spill_create(sizeof(struct node));
    spill_add(tree->nodes, &(struct node){0});
    tree->older = spill_create(sizeof(struct name));
    tree->room = 256;
    tree->names = NEW_ARRAY(struct name, tree->room);
    return tree;
}

void tree_destroy(struct tree *tree)
{
    if (!tree)
        return;
    spill_destroy(tree->nodes);
    spill_destroy(tree->older);
    mem_free(tree->names);
    mem_free(tree->passed);
    mem_free(tree);
}

/* ---- names ---- */

static struct name *place_of(struct name *names, size_t room, uint64_t hash)
{
    size_t i = (size_t)hash & (room - 1);
    while (names[i].node && names[i].hash != hash)
        i = (i + 1) & (room - 1);
    return &names[i];
}

static void tree_grow(struct tree *tree)
{
    size_t room = tree->room * 2;
    struct name *names = NEW_ARRAY(struct name, room);
    for (size_t i = 0; i < tree->room; i++)
        if (tree->names[i].node)
            *place_of(names, room, tree->names[i].hash) = tree->names[i];
    mem_free(tree->names);
    tree->names = names;
    tree->room = room;
}

static int by_hash(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

static void put_away(struct tree *tree)
{
    size_t count = 0;
    for (size_t i = 0; i < tree->room; i++)
        if (tree->names[i].node)
            tree->names[count++] = tree->names[i];
    qsort(tree->names, count, sizeof *tree->names, by_hash);
    for (size_t i = 0; i < count; i++)
        spill_add(tree->older, &tree->names[i]);
    memset(tree->names, 0, tree->room * sizeof *tree->names);
    tree->used = 0;
}

static void put_name(struct tree *tree, struct span name, uint32_t node)
{
    if (!name.len)
        return;
    if (tree->used == NAMES_KEPT)
        put_away(tree);
    if (tree->used * 2 >= tree->room)
        tree_grow(tree);
    uint64_t hash = tree_hash_of(name);
    struct name *place = place_of(tree->names, tree->room, hash);
    tree->used += !place->node;
    *place = (struct name){hash, node};
}

static uint32_t find_in_run(struct spill *names, size_t begin, uint64_t hash)
{
    size_t end = begin + NAMES_KEPT;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        struct name name;
        spill_get(names, middle, &name);
        if (name.hash == hash)
            return name.node;
        if (name.hash < hash)
            begin = middle + 1;
        else
            end = middle;
    }
    return 0;
}

static uint32_t find_older(struct tree *tree, uint64_t hash)
{
    uint32_t node = 0;
    for (size_t end = spill_count(tree->older); end && !node; end -= NAMES_KEPT)
        node = find_in_run(tree->older, end - NAMES_KEPT, hash);
    return node;
}

uint32_t tree_find(struct tree *tree, struct span name)
{
    if (!name.len)
        return 0;
    uint64_t hash = tree_hash_of(name);
    if (tree->passed) {
        const struct name *passed = &tree->passed[hash % PASSED_KEPT];
        if (passed->hash == hash)
            return passed->node;
    }
    uint32_t node = place_of(tree->names, tree->room, hash)->node;
    return node ? node : find_older(tree, hash);
}

void tree_pass(struct tree *tree, struct span name, struct span parent)
{
    if (!name.len)
        return;
    if (!tree->passed)
        tree->passed = NEW_ARRAY(struct name, PASSED_KEPT);
    uint32_t node = tree_find(tree, parent);
    uint64_t hash = tree_hash_of(name);
    tree->passed[hash % PASSED_KEPT] = (struct name){hash, node};
}

static struct node node_at(struct tree *tree, uint32_t at)
{
    struct node node;
    spill_get(tree->nodes, at, &node);
    return node;
}

uint32_t tree_add(struct tree *tree, struct span name, struct span parent_name, enum node_kind kind,
                  struct span group, struct span owner)
{
    uint32_t node = (uint32_t)spill_count(tree->nodes), parent = tree_find(tree, parent_name);
    uint32_t owned = (uint32_t)tree_hash_of(owner);
    spill_add(tree->nodes,
              &(struct node){
                  .parent = parent && node_at(tree, parent).owner == owned ? parent : 0,
                  .group = group.len ? (uint32_t)tree_hash_of(group) | 1 : 0,
                  .owner = owned,
                  .kind = (uint8_t)kind,
              });
    put_name(tree, name, node);
    tree->solved = false;
    return node;
}

/* ---- which nodes were left ---- */

/* A node's parent always came before it, so that there are no cycles to walk into. */
static void find_last(struct tree *tree)
{
    uint32_t count = (uint32_t)spill_count(tree->nodes);
    for (uint32_t i = count; i-- > 1;) {
        struct node node = node_at(tree, i), parent = node_at(tree, node.parent);
        if (node.last < i) /* not told by a node below it; of an earlier solution */
            node.last = i;
        spill_put(tree->nodes, i, &node);
        if (!node.parent || parent.last >= node.last)
            continue;
        parent.last = node.last;
        spill_put(tree->nodes, node.parent, &parent);
    }
}

static bool begins_fork(const struct node *node, const struct node *parent)
{
    if (node->kind == NODE_OTHER || !node->parent)
        return false;
    return node->kind == NODE_PROMPT || !node->group || node->group != parent->group;
}

/* The path is the way from the root to the last line of the tree. Results of a call and assistant
 * lines beside it, where the model went on with another line of the same message, belong to it. */
static void solve(struct tree *tree)
{
    uint32_t count = (uint32_t)spill_count(tree->nodes);
    find_last(tree);
    for (uint32_t i = 1; i < count; i++) {
        struct node node = node_at(tree, i), parent = node_at(tree, node.parent);
        bool left = node.parent && parent.abandoned;
        node.on_path = !node.parent || (parent.on_path && parent.last == node.last);
        node.abandoned = !node.on_path && (left || begins_fork(&node, &parent));
        spill_put(tree->nodes, i, &node);
    }
    tree->solved = true;
}

bool tree_abandoned(struct tree *tree, uint32_t node)
{
    if (!node || node >= spill_count(tree->nodes))
        return false;
    if (!tree->solved)
        solve(tree);
    return node_at(tree, node).abandoned;
}
