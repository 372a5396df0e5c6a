#include "recorder/capture_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

/* Appending to somebody's program or notes would spoil them. */
static bool holds_captures(int fd, off_t size)
{
    char head[sizeof CAPTURE_MAGIC - 1];
    ssize_t n = pread(fd, head, sizeof head, 0);
    return n == (size < (off_t)sizeof head ? size : (off_t)sizeof head) &&
           memcmp(head, CAPTURE_MAGIC, (size_t)n) == 0;
}

bool capture_file_open(struct capture_file *file, const char *path, struct err *err)
{
    struct stat st;
    *file = (struct capture_file){.fd = -1, .path = path, .known_end = -1};
    /* O_NONBLOCK: the open of a FIFO must not wait for a reader; on a regular file it is nothing.
     */
    file->fd =
        open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, (mode_t)0600);
    if (file->fd < 0 || fstat(file->fd, &st) != 0)
        return err_set(err, ERR_USAGE, path, "name a log that can be written", "%s",
                       strerror(errno));
    bool regular = S_ISREG(st.st_mode);
    if (!regular || !holds_captures(file->fd, st.st_size)) {
        capture_file_close(file);
        return err_set(err, ERR_USAGE, path, "name a new file, or one that 'record' made",
                       regular ? "holds something else than captures" : "is no regular file");
    }
    return true;
}

void capture_file_close(struct capture_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

bool capture_file_write(struct capture_file *file, struct span bytes)
{
    while (bytes.len) {
        ssize_t n = write(file->fd, bytes.at, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        file->dirty = true;
        bytes = span_sub(bytes, (size_t)n, bytes.len);
    }
    return true;
}

/* Does the file end inside a line? */
static bool is_torn(const struct capture_file *file)
{
    char last;
    return file->begun > 0 && file->begun != file->known_end &&
           pread(file->fd, &last, 1, file->begun - 1) == 1 && last != '\n';
}

bool capture_file_begin(struct capture_file *file)
{
    struct stat st;
    int got;
    while ((got = flock(file->fd, LOCK_EX)) != 0 && errno == EINTR)
        ;
    file->locked = got == 0; /* a file system without locks: O_APPEND keeps single writes apart */
    if (fstat(file->fd, &st) != 0) {
        file->begun = -1;
        return false;
    }
    file->begun = st.st_size;
    return !is_torn(file) || capture_file_write(file, SPAN("\n"));
}

void capture_file_end(struct capture_file *file, bool whole)
{
    int kept = errno;
    struct stat st;
    file->known_end = -1;
    if (!whole && file->locked && file->begun >= 0 && ftruncate(file->fd, file->begun) != 0)
        kept = errno; /* the torn line will be ended by the next that writes */
    if (whole && fstat(file->fd, &st) == 0)
        file->known_end = st.st_size;
    if (file->locked)
        flock(file->fd, LOCK_UN);
    file->locked = false;
    errno = kept;
}

void capture_file_sync(struct capture_file *file)
{
    if (file->dirty)
        fdatasync(file->fd);
    file->dirty = false;
}

static int make_nameless(struct span folder)
{
    struct buf name = {0};
    buf_add(&name, folder);
    buf_puts(&name, ".strandline-XXXXXX");
    buf_byte(&name, '\0');
    int fd = mkostemp(name.at, O_CLOEXEC);
    if (fd >= 0)
        unlink(name.at);
    buf_finish(&name);
    return fd;
}

int capture_file_spill(const struct capture_file *file)
{
    const char *slash = strrchr(file->path, '/');
    int fd = make_nameless(slash ? span_from(file->path, slash + 1) : SPAN(""));
    return fd >= 0 ? fd : make_nameless(SPAN("/tmp/"));
}
