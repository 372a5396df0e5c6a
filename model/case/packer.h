/*
 * Hashes and packs the frames of a source, on threads of its own once there is
 * more than one frame, while the caller reads on and writes rows. Frames come out
 * in the order in which they went in.
 */
#ifndef STRANDLINE_MODEL_CASE_PACKER_H
#define STRANDLINE_MODEL_CASE_PACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sha256.h"

struct packer;

struct packed_frame {
    struct span packed;  /* one zstd frame; valid until packer_release */
    size_t length;       /* of the original */
    uint64_t lines;      /* newlines in it */
    const char *problem; /* zstd's words where it failed; NULL */
};

enum { PACKER_WORKERS_MOST = 8 };

/* `workers` threads, at most PACKER_WORKERS_MOST; 0: all is done in the caller's. */
struct packer *packer_create(int level, unsigned workers);
void packer_destroy(struct packer *packer); /* NULL is fine; waits for the threads */

/* Where to put the bytes of the next frame: SOURCE_FRAME of them. NULL while all places are taken:
 * take a finished frame first. */
char *packer_room(struct packer *packer);
/* The frame is filled; the first one starts the threads. */
void packer_submit(struct packer *packer, size_t length);
/* The next finished frame. Waits for it where `wait`; false where there is none to wait for, or
 * none is finished yet. */
bool packer_take(struct packer *packer, bool wait, struct packed_frame *frame);
/* The frame taken is written; its place is free again. */
void packer_release(struct packer *packer);
/* Bytes before the first frame, which are packed already: they are hashed only. */
void packer_skip(struct packer *packer, struct span bytes);
/*
 * After the last frame that was submitted has been taken: packs the `length` bytes that stand in
 * the room now, which may be filled on afterwards (frame NULL: doesn't), and gives the SHA-256 of
 * all that was submitted and these.
 */
void packer_peek(struct packer *packer, size_t length, struct packed_frame *frame,
                 uint8_t digest[SHA256_BYTES]);

#endif
