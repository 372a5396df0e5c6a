/*
 * Sources: imported files, byte for byte, as zstd frames addressed by offset.
 * A frame holds up to SOURCE_FRAME bytes of the original. The original can be
 * written out again, identical, and its SHA-256 is kept.
 */
#ifndef STRANDLINE_MODEL_CASE_SOURCE_H
#define STRANDLINE_MODEL_CASE_SOURCE_H

#include "base/buf.h"
#include "base/mem.h"
#include "model/case/case.h"

enum { SOURCE_FRAME = 256 * 1024 };

struct source_info {
    int64_t id;
    struct span path;        /* as given */
    struct span role;        /* "log" or "evidence" */
    struct span format;      /* name of the reader; empty for evidence */
    int confidence;          /* 0–100 */
    struct span reason;      /* why this format */
    int64_t clock_offset_ns; /* added to its times */
    uint64_t bytes, lines;
    uint8_t sha256[32];
    bool complete; /* the whole file was read */
};

/* Writing: begin, append in order, end. One at a time per case, inside a transaction. */
struct source_writer;
struct source_writer *source_begin(struct case_file *c, struct span path, const char *role,
                                   struct err *err);
int64_t source_writer_id(const struct source_writer *w);
bool source_append(struct source_writer *w, struct span bytes, struct err *err);
/* Sets format, confidence, reason, clock offset and lines from info (the rest it knows), frees w,
 * also where it fails. `complete` false: the reading was interrupted. */
bool source_end(struct source_writer *w, const struct source_info *info, bool complete,
                struct err *err);
void source_abandon(struct source_writer *w); /* the caller rolls back */
/*
 * Goes on with a source that the case has, whose file has grown. Append from the file's first byte:
 * what the case has is hashed and not written again, and where it is not the same, source_append
 * fails and nothing was written. source_differs: that, or the file ended before it could be told.
 */
struct source_writer *source_resume(struct case_file *c, int64_t source, struct err *err);
bool source_differs(const struct source_writer *w);
/* What source_end does, but more may be appended then. */
bool source_settle(struct source_writer *w, const struct source_info *info, bool complete,
                   struct err *err);

/* What is known of a source; the spans live in the arena. */
bool source_describe(struct case_file *c, int64_t source, struct arena *arena,
                     struct source_info *out, struct err *err);
/* The source with these bytes and this role, 0 where the case has none. A file that was read as a
 * log is not held as evidence by that. */
bool source_find(struct case_file *c, const uint8_t sha256[32], const char *role, int64_t *source,
                 struct err *err);

/* Copies bytes [offset, offset+length) of the original to out. */
bool source_read(struct case_file *c, int64_t source, uint64_t offset, uint64_t length,
                 struct buf *out, struct err *err);
/* Writes the original out to a file descriptor, frame by frame. */
bool source_write_out(struct case_file *c, int64_t source, int fd, struct err *err);
/* Hashes the case's copy: all bytes that are held of a source, and how many they are. Frames that
 * can't be read are an error of kind ERR_EVIDENCE. */
bool source_digest(struct case_file *c, int64_t source, uint8_t sha256[32], uint64_t *bytes,
                   struct err *err);
/* What became of the bytes that the case keeps of a source, by hashing them again. */
enum source_state {
    SOURCE_CHANGED,   /* not what was imported, or it can't be read */
    SOURCE_UNCHANGED, /* every byte is what was imported */
    SOURCE_REDACTED,  /* what a redaction made of it, and not changed since (model/redact) */
};
const char *source_state_word(enum source_state state); /* "unchanged" */
/* Hashes the case's copy again. False only where the case itself can't be read; frames that can't
 * be are SOURCE_CHANGED. */
bool source_verify(struct case_file *c, int64_t source, enum source_state *state, struct err *err);
/* The same, where they were hashed already: which of the digests that the case knows is this one?
 */
bool source_compare(struct case_file *c, int64_t source, const uint8_t sha256[32], uint64_t bytes,
                    enum source_state *state, struct err *err);

#endif
