/*
 * A capture in the making: what the relay hands over is queued, and a thread of
 * its own makes records of it and writes them. Handing over takes no longer
 * than a copy, whatever the disk does; where the queue is full, bytes go by
 * unrecorded, and the log says how many, and where.
 */
#ifndef STRANDLINE_RECORDER_CAPTURE_H
#define STRANDLINE_RECORDER_CAPTURE_H

#include "recorder/capture_lines.h"

enum {
    CAPTURE_QUEUE = 64 << 20, /* bytes that may wait; twice that while they are worked on */
    CAPTURE_PAUSE_MS = 2,     /* so long the thread leaves the processor to those who talk */
    CAPTURE_SYNC_MS = 1000,   /* at most so long until what was written is put on the disk */
    CAPTURE_LEAVE_MS = 5000,  /* so long capture_finish waits for a disk that hangs */
};

struct capture;

/* Opens the log at `path` (the caller's, kept). NULL: err says why. */
struct capture *capture_create(const char *path, struct err *err);
/* Without capture_start: nothing was written. NULL is fine. */
void capture_destroy(struct capture *c);

/* Begins the capture, with the record that says of what. The command is the caller's, kept. */
void capture_start(struct capture *c, const struct capture_start *start);

/* Bytes that were handed on, as they went by. */
void capture_bytes(struct capture *c, enum stream stream, struct span bytes);
/* Bytes that were read from the sender, but that nobody was there to receive. */
void capture_undelivered(struct capture *c, enum stream stream, struct span bytes);
void capture_closed(struct capture *c, enum stream stream, bool by_receiver);
void capture_signal(struct capture *c, int number);

/*
 * The server has ended; status as for capture_lines_end. Waits until all is on
 * the disk and releases everything. False where the disk took too long: then the
 * thread still runs, nothing was released, and the caller must leave by _exit.
 */
bool capture_finish(struct capture *c, int status) ATTR_MUST_USE;

#endif
