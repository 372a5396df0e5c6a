#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "model/case/case.h"

enum { FILE_MOST = 512 * 1024 * 1024 };

bool file_read(const char *path, struct buf *out, struct err *err)
{
    const char *where = strcmp(path, "-") ? path : "standard input";
    int why = file_bytes(path, FILE_MOST, out);
    if (why == EFBIG)
        return err_set(err, ERR_INPUT, where, "give it in parts",
                       "larger than %d MB, which is the most that is read at once",
                       FILE_MOST >> 20);
    return !why || err_set(err, ERR_INPUT, where, "check the path and its permissions", "%s",
                           strerror(why));
}

/* A file without a name in the folder where the path is; -1 where there can't be one. */
static int open_nameless(const char *path)
{
    struct buf folder = {0};
    const char *slash = strrchr(path, '/');
    buf_add(&folder, slash ? span_from(path, slash + 1) : SPAN("."));
    int fd = open(buf_cstr(&folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
    buf_finish(&folder);
    return fd;
}

/* A link takes no other file's place; a name that is changed does. */
static bool take_name(struct file_writing *file)
{
    char self[40];
    const char *beside = buf_cstr(&file->beside);
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(file->to));
    if (file->nameless && linkat(AT_FDCWD, self, AT_FDCWD, beside, AT_SYMLINK_FOLLOW) != 0)
        return false;
    file->nameless = false;
    return rename(beside, buf_cstr(&file->path)) == 0;
}

bool file_begin(struct file_writing *file, const char *path, struct err *err)
{
    *file = (struct file_writing){.to = stdout};
    buf_puts(&file->path, path);
    if (strcmp(path, "-") == 0)
        return true;
    if (case_is(path)) {
        buf_finish(&file->path);
        return err_set(err, ERR_USAGE, path, "give what is written a name of its own",
                       "this is a case, and is not written over");
    }
    struct stat there;
    bool special = stat(path, &there) == 0 && !S_ISREG(there.st_mode); /* a pipe, /dev/stdout */
    int fd = special ? open(path, O_WRONLY | O_CLOEXEC) : open_nameless(path);
    file->nameless = !special && fd >= 0;
    if (!special)
        buf_addf(&file->beside, file->nameless ? "%s.%ld" : "%s.XXXXXX", path, (long)getpid());
    buf_cstr(&file->beside);
    if (!special && fd < 0)
        fd = mkstemp(file->beside.at);
    if (fd < 0) {
        err_set(err, ERR_INPUT, path, "name a file in a folder that can be written to", "%s",
                strerror(errno));
        buf_finish(&file->path);
        buf_finish(&file->beside);
        return false;
    }
    file->to = fdopen(fd, "w");
    if (!file->to)
        mem_exhausted();
    return true;
}

bool file_end(struct file_writing *file, bool keep, struct err *err)
{
    bool standard = file->to == stdout; /* main says what became of that, once for every verb */
    bool whole = standard || (fflush(file->to) == 0 && !ferror(file->to));
    if (file->beside.len) {
        mode_t mask = umask(0);
        umask(mask);
        whole =
            fchmod(fileno(file->to), 0666 & ~mask) == 0 && fsync(fileno(file->to)) == 0 && whole;
        if (keep && whole)
            whole = take_name(file);
        if ((!keep || !whole) && !file->nameless)
            unlink(buf_cstr(&file->beside));
    }
    if (!standard)
        whole = fclose(file->to) == 0 && whole;
    if (keep && !whole)
        err_set(err, ERR_INTERNAL, buf_cstr(&file->path), "is the disk full?",
                "could not be written");
    buf_finish(&file->path);
    buf_finish(&file->beside);
    return keep && whole;
}
