#include "ingest/tree.h"

#include "base/hash.h"
#include "base/mem.h"

enum status { TREE_UNKNOWN, WALKED, KEPT, ABANDONED };

struct node {
    uint32_t parent; /* 0: none, or not in the file */
    uint32_t group;  /* hash of the message's id; 0: none */
    uint32_t owner;  /* hash of the session */
    uint8_t kind, status;
    bool on_path;
};

struct name {
    uint32_t print, node; /* a hash's half; the node + 1, so that 0 is free */
};

/* A line of no interest that may be named as a parent. Nine of ten lines of a big file are such,
 * and they are named by the next few lines or never: the place is the next one's of that hash. */
struct passed {
    uint64_t hash; /* 0: free */
    uint32_t node;
};
enum { PASSED_KEPT = 1 << 17 };

struct tree {
    struct node *nodes; /* nodes[0] is no node */
    size_t count, size;
    struct name *names;
    size_t used, room;     /* room: a power of two */
    struct passed *passed; /* PASSED_KEPT of them; NULL: none yet */
    uint32_t *chain;       /* scratch of walks */
    size_t chain_size;
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
    tree->count = 1;
    tree->size = 64;
    tree->nodes = NEW_ARRAY(struct node, tree->size);
    tree->room = 256;
    tree->names = NEW_ARRAY(struct name, tree->room);
    return tree;
}

void tree_destroy(struct tree *tree)
{
    if (!tree)
        return;
    mem_free(tree->nodes);
    mem_free(tree->names);
    mem_free(tree->passed);
    mem_free(tree->chain);
    mem_free(tree);
}

static size_t slot_of(const struct name *names, size_t room, uint32_t print, uint64_t hash)
{
    size_t i = (size_t)hash & (room - 1);
    while (names[i].node && names[i].print != print)
        i = (i + 1) & (room - 1);
    return i;
}

/* The print holds the hash's high half, and the low half of a slot's place is all that moving
 * needs: so it is made of the print. */
static uint64_t place_of(uint32_t print)
{
    return (uint64_t)print * 0x9e3779b97f4a7c15 >> 20;
}

static void tree_grow(struct tree *tree)
{
    size_t room = tree->room * 2;
    struct name *names = NEW_ARRAY(struct name, room);
    for (size_t i = 0; i < tree->room; i++)
        if (tree->names[i].node)
            names[slot_of(names, room, tree->names[i].print, place_of(tree->names[i].print))] =
                tree->names[i];
    mem_free(tree->names);
    tree->names = names;
    tree->room = room;
}

static void put_name(struct tree *tree, struct span name, uint32_t node)
{
    if (!name.len)
        return;
    if (tree->used * 4 >= tree->room * 3)
        tree_grow(tree);
    uint32_t print = (uint32_t)(tree_hash_of(name) >> 32);
    size_t i = slot_of(tree->names, tree->room, print, place_of(print));
    tree->used += !tree->names[i].node;
    tree->names[i] = (struct name){print, node + 1};
}

uint32_t tree_find(const struct tree *tree, struct span name)
{
    if (!name.len)
        return 0;
    uint64_t hash = tree_hash_of(name);
    if (tree->passed) {
        const struct passed *passed = &tree->passed[hash % PASSED_KEPT];
        if (passed->hash == hash)
            return passed->node;
    }
    uint32_t print = (uint32_t)(hash >> 32);
    uint32_t node = tree->names[slot_of(tree->names, tree->room, print, place_of(print))].node;
    return node ? node - 1 : 0;
}

void tree_pass(struct tree *tree, struct span name, struct span parent)
{
    if (!name.len)
        return;
    if (!tree->passed)
        tree->passed = NEW_ARRAY(struct passed, PASSED_KEPT);
    uint32_t node = tree_find(tree, parent);
    uint64_t hash = tree_hash_of(name);
    tree->passed[hash % PASSED_KEPT] = (struct passed){hash, node};
}

uint32_t tree_add(struct tree *tree, struct span name, struct span parent_name, enum node_kind kind,
                  struct span group, struct span owner)
{
    if (tree->count == tree->size) {
        tree->size *= 2;
        tree->nodes = mem_resize(tree->nodes, tree->size * sizeof *tree->nodes);
    }
    uint32_t node = (uint32_t)tree->count++, parent = tree_find(tree, parent_name);
    uint32_t owned = (uint32_t)tree_hash_of(owner);
    tree->nodes[node] = (struct node){
        .parent = parent && tree->nodes[parent].owner == owned ? parent : 0,
        .group = group.len ? (uint32_t)tree_hash_of(group) | 1 : 0,
        .owner = owned,
        .kind = (uint8_t)kind,
    };
    put_name(tree, name, node);
    tree->solved = false;
    return node;
}

/* ---- which nodes were left ---- */

static void push(struct tree *tree, size_t *count, uint32_t node)
{
    tree->chain = mem_one_more(tree->chain, *count, &tree->chain_size, sizeof *tree->chain);
    tree->chain[(*count)++] = node;
}

/* A node's parent always came before it, so that there are no cycles to walk into. */
static void mark_paths(struct tree *tree)
{
    for (uint32_t i = (uint32_t)tree->count - 1; i; i--) {
        size_t count = 0;
        uint32_t at = i;
        while (at && tree->nodes[at].status == TREE_UNKNOWN) {
            tree->nodes[at].status = WALKED;
            push(tree, &count, at);
            at = tree->nodes[at].parent;
        }
        if (!at) /* the last line of this tree: its way to the root is the path */
            while (count)
                tree->nodes[tree->chain[--count]].on_path = true;
    }
}

static bool begins_fork(const struct tree *tree, const struct node *node)
{
    if (node->kind == NODE_OTHER || !node->parent)
        return false;
    return node->kind == NODE_PROMPT || !node->group ||
           node->group != tree->nodes[node->parent].group;
}

/* Results of a call and assistant lines beside the path, where the model went on with another line
 * of the same message, belong to it. */
static void solve(struct tree *tree)
{
    for (size_t i = 1; i < tree->count; i++) {
        tree->nodes[i].status = TREE_UNKNOWN;
        tree->nodes[i].on_path = false;
    }
    mark_paths(tree);
    for (size_t i = 1; i < tree->count; i++) {
        struct node *node = &tree->nodes[i];
        bool left = node->parent && tree->nodes[node->parent].status == ABANDONED;
        if (node->on_path)
            node->status = KEPT;
        else
            node->status = left || begins_fork(tree, node) ? ABANDONED : KEPT;
    }
    tree->solved = true;
}

bool tree_abandoned(struct tree *tree, uint32_t node)
{
    if (!node || node >= tree->count)
        return false;
    if (!tree->solved)
        solve(tree);
    return tree->nodes[node].status == ABANDONED;
}
