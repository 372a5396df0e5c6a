/* An archive, whatever its bytes: what comes out is bounded by what it says, and it ends. */
#include <sys/mman.h>
#include <unistd.h>

#include "ingest/zip.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(struct span input)
{
    enum { MOST = 64 * 1024 * 1024 };
    static char part[4096];
    struct err err = {0};
    ptrdiff_t n = 0;
    size_t sum = 0;
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, input.at, input.len) != (ssize_t)input.len)
        abort();
    struct zip *zip = zip_open(fd, input.len, "fuzz", &err);
    FUZZ_CHECK(zip || err.kind);
    while (zip && sum < MOST && (n = zip_read(zip, part, sizeof part, &err)) > 0) {
        FUZZ_CHECK((size_t)n <= sizeof part);
        sum += (size_t)n;
    }
    FUZZ_CHECK(n >= 0 || err.kind);
    zip_close(zip);
    close(fd);
}
