/* The account of the sources: every byte is event, noise, diagnostic or blank. */
#ifndef STRANDLINE_MODEL_QUERY_ACCOUNT_H
#define STRANDLINE_MODEL_QUERY_ACCOUNT_H

#include "base/mem.h"
#include "model/case/case.h"

struct noise_view {
    struct span kind;
    int64_t units, bytes;
};

struct diagnostic_view {
    int64_t line, offset, length;
    struct span code, what;
};

struct source_view {
    int64_t id;
    struct span path, role, format, reason; /* format.at NULL: evidence */
    struct span sha256;                     /* hex; at NULL: never read whole */
    int64_t bytes, lines, confidence;
    bool complete;
    int64_t event, noise, diagnostic, blank; /* bytes; they add up to `bytes` */
    struct noise_view *noises;
    size_t noise_count;
    int64_t diagnostic_count;
};

/* Sources in order of import; strings in the arena. */
bool query_sources(struct case_file *c, struct arena *arena, struct source_view **out,
                   size_t *count, struct err *err);
/* Diagnostics of a source from offset `from`, at most `most` of them, in order. */
bool query_diagnostics(struct case_file *c, int64_t source, int64_t from, size_t most,
                       struct arena *arena, struct diagnostic_view **out, size_t *count,
                       struct err *err);

#endif
