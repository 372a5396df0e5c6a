/*
 * From the bytes that went by to the records of a capture (docs/capture.md):
 * lines are put together, held against the JSON grammar, and written. Memory is
 * bounded: a line longer than LINE_NEAR waits in a file without a name.
 */
#ifndef STRANDLINE_RECORDER_CAPTURE_LINES_H
#define STRANDLINE_RECORDER_CAPTURE_LINES_H

#include <stdint.h>

#include "base/buf.h"
#include "recorder/capture_file.h"

enum stream { STREAM_C2S, STREAM_S2C, STREAM_ERR, STREAMS };

enum { LINE_NEAR = 1 << 20, BATCH = 256 << 10 };

struct capture_line {
    struct buf near;  /* what there is of the line, less what is in the spill */
    int spill;        /* -1: none */
    uint64_t spilled; /* bytes of the line in the spill */
    uint64_t failed;  /* bytes of the line that could not be kept */
    uint64_t bytes;   /* of the stream so far */
    bool rest;        /* the line's beginning is lost */
    bool undelivered; /* the receiver had gone */
};

struct capture_lines {
    struct capture_file *file;
    char connection[24];
    uint64_t number;  /* of the next record */
    struct buf batch; /* whole records, not yet written */
    uint64_t batch_records;
    uint64_t lost_records; /* that could not be written, since the last time it was said */
    int lost_why;          /* errno */
    bool complained;
    int64_t now; /* when what is being recorded happened, ns since 1970 */
    struct capture_line lines[STREAMS];
};

/* The file is borrowed; finish frees the lines that wait. */
void capture_lines_init(struct capture_lines *l, struct capture_file *file);
void capture_lines_finish(struct capture_lines *l);

struct capture_start {
    const char *server; /* the host's name for it; NULL: not given */
    char *const *command;
    int pid;
};
/* The first record; what `start` points at is only read here. */
void capture_lines_start(struct capture_lines *l, const struct capture_start *start);
/* Bytes as they went by at l->now. */
void capture_lines_take(struct capture_lines *l, enum stream stream, struct span bytes);
/* From here on what is taken of the stream did not reach its receiver. */
void capture_lines_undelivered(struct capture_lines *l, enum stream stream);
/* So many bytes went by here unrecorded. */
void capture_lines_lost(struct capture_lines *l, enum stream stream, uint64_t bytes);
/* The stream ended, by its sender or (the receiver had gone) by its receiver. */
void capture_lines_closed(struct capture_lines *l, enum stream stream, bool by_receiver);
void capture_lines_signal(struct capture_lines *l, int number);
/* The last record. A negative status is that of a server ended by signal -status. */
void capture_lines_end(struct capture_lines *l, int status);
/* Writes what is waiting. */
void capture_lines_flush(struct capture_lines *l);

#endif
