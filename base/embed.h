/*
 * Text files compiled into the program: the schema, the built-in policies, the
 * pages of findings. base/embed.py makes such a table; a room that uses one
 * says EMBEDDED(its_table) in the file that reads it.
 */
#ifndef STRANDLINE_BASE_EMBED_H
#define STRANDLINE_BASE_EMBED_H

#include "base/span.h"

struct embedded {
    const char *name; /* the file's name without its last suffix; NULL behind the last entry */
    struct span text; /* a NUL stands behind it, not counted */
};

/* Declares a table and its length; entries are in order of their names. */
#define EMBEDDED(table)                                                                            \
    extern const struct embedded table[];                                                          \
    extern const size_t table##_count

/* The entry of that name, or NULL. */
static inline const struct embedded *embedded_find(const struct embedded *table, struct span name)
{
    for (; table->name; table++)
        if (span_is(name, table->name))
            return table;
    return NULL;
}

#endif
