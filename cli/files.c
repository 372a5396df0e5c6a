#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { CHUNK = 256 * 1024, MOST = 512 * 1024 * 1024 };

bool file_read(const char *path, struct buf *out, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, ERR_INPUT, path, "check the path and its permissions", "%s",
                       strerror(errno));
    ssize_t got = 0;
    while (out->len <= MOST && (got = read(fd, buf_reserve(out, CHUNK), CHUNK)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        out->len += (size_t)got;
    }
    int why = errno;
    if (!standard)
        close(fd);
    if (got < 0)
        return err_set(err, ERR_INPUT, standard ? "standard input" : path, NULL, "%s",
                       strerror(why));
    if (out->len > MOST)
        return err_set(err, ERR_INPUT, standard ? "standard input" : path, NULL,
                       "larger than %d MB, which is the most that is read at once", MOST >> 20);
    return true;
}
