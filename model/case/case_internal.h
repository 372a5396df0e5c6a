/* What the files of this room share and nobody else sees. */
#ifndef STRANDLINE_MODEL_CASE_CASE_INTERNAL_H
#define STRANDLINE_MODEL_CASE_CASE_INTERNAL_H

#include <zstd.h>

#include "base/mem.h"
#include "model/case/case.h"

/* An unpacked frame; the few that were used last are kept. */
struct frame {
    int64_t source; /* 0: this place is free */
    uint64_t offset;
    struct buf bytes;
    uint64_t used; /* clock of the last use */
};
enum { FRAMES_KEPT = 8 };

/* Where a session's numbering stands while steps are added in this run of the program. */
struct session_tail {
    int64_t session; /* 0: this place is free */
    int64_t last_n;
};
enum { TAILS_KEPT = 64 }; /* a power of two */

struct case_file {
    struct db *db;
    char *path;
    bool writable;
    enum db_mode reading;        /* how the file is opened once more, to read only */
    bool unchecked;              /* its structure, so far: case_check does it */
    struct soundness *soundness; /* that check, once it was begun */

    int64_t data_version; /* SQLite's, of other connections' writes */
    unsigned workers;     /* threads that pack what is imported */
    struct frame frames[FRAMES_KEPT];
    uint64_t frame_clock;
    ZSTD_DCtx *unpack;
    struct buf packed; /* scratch of extents */

    struct session_tail tails[TAILS_KEPT];
    struct rehearsal *rehearsal; /* NULL: none is on */
};

/* "PATH" or, for a temporary case, "the case": where of errors. */
const char *case_where(const struct case_file *c);

#endif
