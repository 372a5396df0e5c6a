#include "ingest/readers/readers.h"

static const struct reader *const readers[] = {
#define X(id) &reader_##id,
    READERS(X)
#undef X
};

size_t reader_count(void)
{
    return COUNT_OF(readers);
}

const struct reader *reader_at(size_t index)
{
    return readers[index];
}

const struct reader *reader_find(struct span name)
{
    for (size_t i = 0; i < COUNT_OF(readers); i++)
        if (span_is(name, readers[i]->name))
            return readers[i];
    return NULL;
}

const struct reader *reader_detect(struct span head, struct span path, bool whole,
                                   struct probe *best)
{
    enum { CERTAIN = 97 }; /* nothing that comes later says more */
    const struct reader *found = &reader_fallback;
    *best = (struct probe){.confidence = -1};
    for (size_t i = 0; i < COUNT_OF(readers) && best->confidence < CERTAIN; i++) {
        struct probe probe = {.head = head, .path = path, .whole = whole};
        readers[i]->probe(&probe);
        if (probe.confidence > best->confidence) {
            *best = probe;
            found = readers[i];
        }
    }
    return found;
}
