#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int file_bytes(const char *path, size_t most, struct buf *out)
{
    enum { FILE_CHUNK = 64 * 1024 };
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    size_t begin = out->len;
    ssize_t got = fd < 0 ? -1 : 1;
    while (fd >= 0 && got != 0 && out->len - begin <= most) {
        got = read(fd, buf_reserve(out, FILE_CHUNK), FILE_CHUNK);
        if (got < 0 && errno != EINTR)
            break;
        out->len += got > 0 ? (size_t)got : 0;
    }
    int why = got < 0 ? errno : out->len - begin > most ? EFBIG : 0;
    if (fd >= 0 && !standard)
        close(fd);
    return why;
}
