/*
 * The file that captures are appended to. Several recorders may share one: what
 * is written between capture_file_begin and capture_file_end stands together,
 * since all of them take the file's lock (flock), and is there wholly or not at
 * all unless the process is killed in between. A record torn off by that gets a
 * line end from whoever writes next.
 */
#ifndef STRANDLINE_RECORDER_CAPTURE_FILE_H
#define STRANDLINE_RECORDER_CAPTURE_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/span.h"

/* How every capture begins, whatever version wrote it. */
#define CAPTURE_MAGIC "{\"strandline\":\"capture/1\""

struct capture_file {
    int fd;
    const char *path; /* the caller's */
    off_t known_end;  /* where our last write ended; nobody else wrote if that is still the end */
    off_t begun;      /* end of the file at capture_file_begin */
    bool locked;
    bool dirty; /* written to since the last capture_file_sync */
};

/* Opens or makes it (mode 0600). Refuses what is no regular file, and a file that holds anything
 * but captures. */
bool capture_file_open(struct capture_file *file, const char *path, struct err *err) ATTR_MUST_USE;
void capture_file_close(struct capture_file *file);

/* Locks the file for the records that follow, and remembers its end. False: errno says why. */
bool capture_file_begin(struct capture_file *file) ATTR_MUST_USE;
/* All of the bytes at the end of the file. False: errno says why. */
bool capture_file_write(struct capture_file *file, struct span bytes) ATTR_MUST_USE;
/* Not `whole`: what was written since capture_file_begin is taken back. Keeps errno. */
void capture_file_end(struct capture_file *file, bool whole);
/* To the disk (fdatasync), where something was written. */
void capture_file_sync(struct capture_file *file);

/* A file without a name in the same folder (else in /tmp), for what memory should not hold; -1
 * where there can't be one. */
int capture_file_spill(const struct capture_file *file);

#endif
