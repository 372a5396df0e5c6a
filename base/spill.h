/*
 * A long array of small records of one size, of which what was used last is in
 * memory and the rest in a file without a name: a few megabytes, however long
 * it gets. Where no such file can be written, all of it stays in memory.
 */
#ifndef STRANDLINE_BASE_SPILL_H
#define STRANDLINE_BASE_SPILL_H

#include <stdbool.h>
#include <stddef.h>

struct spill;

/* Never NULL; the caller's. Records are of at most a kilobyte. */
struct spill *spill_create(size_t record_bytes);
void spill_destroy(struct spill *s); /* NULL is fine */
size_t spill_count(const struct spill *s);
/* One more record, a copy of *record. */
void spill_add(struct spill *s, const void *record);
/* Copies the record at `index`, which is there, out and in. */
void spill_get(struct spill *s, size_t index, void *record);
void spill_put(struct spill *s, size_t index, const void *record);
/* Forgets all records. */
void spill_clear(struct spill *s);

#endif
