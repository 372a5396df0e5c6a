/*
 * The relay: bytes of three streams, passed on as they come and then recorded.
 * Nothing waits for the record; each stream waits for its receiver alone, with
 * one buffer's worth of bytes, so that a sender is held up as a pipe holds it.
 */
#ifndef STRANDLINE_RECORDER_RELAY_H
#define STRANDLINE_RECORDER_RELAY_H

#include "recorder/capture.h"
#include "recorder/child.h"

enum {
    RELAY_ROOM = 64 << 10, /* bytes a stream may be behind: as much as a pipe holds */
    RELAY_LINGER_MS = 250, /* the server has ended: silence after which nobody else writes for it */
};

/* Until the server has ended and what it wrote is delivered. Returns its status, as child_ended. */
int relay_run(struct child *child, struct capture *capture, int signals);

#endif
