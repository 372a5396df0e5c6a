/* What a reader said of one unit, for the pipeline and the tests. */
#ifndef STRANDLINE_INGEST_OUTLET_H
#define STRANDLINE_INGEST_OUTLET_H

#include "ingest/reader.h"

struct outlet_part {
    const char *noise; /* its kind; NULL: unreadable */
    const char *what;  /* of an unreadable part */
    size_t offset, length;
};

/* What became of bytes that were held. */
struct outlet_settled {
    const char *noise, *what; /* as above; both NULL: part of an event */
    uint64_t offset, bytes;   /* offset: in the source, of unreadable ones */
};

struct outlet {
    struct arena arena;
    struct record *records;
    size_t count, size;
    const char *noise; /* the whole unit is noise of this kind */
    const char *bad;   /* the whole unit is unreadable: why */
    size_t bad_at;
    struct outlet_part *parts;
    size_t part_count, part_size;
    uint64_t held; /* bytes of this unit */
    struct outlet_settled *settled;
    size_t settled_count, settled_size;
};

/* Empty; finish frees what units left behind. */
void outlet_init(struct outlet *out);
void outlet_finish(struct outlet *out);
void outlet_clear(struct outlet *out); /* before each unit */
/* For records that are of a part of the unit: on which line that begins. */
void outlet_count_lines(struct outlet *out, struct span text);

#endif
