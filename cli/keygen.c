#include "cli/verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "model/seal/signing_key.h"

/* A new file with exactly these bytes, which never takes the place of another. */
static bool write_new(const char *path, mode_t mode, struct span bytes, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0)
        return err_set(err, errno == EEXIST ? ERR_USAGE : ERR_INPUT, path,
                       errno == EEXIST ? "name another file; a key is never written over"
                                       : "name a file in a folder that can be written to",
                       "%s", strerror(errno));
    size_t done = 0;
    ssize_t more = 1;
    while (done < bytes.len && more > 0) {
        more = write(fd, bytes.at + done, bytes.len - done);
        done += more > 0 ? (size_t)more : 0;
    }
    bool ok = done == bytes.len && fsync(fd) == 0;
    ok = close(fd) == 0 && ok;
    if (!ok) {
        unlink(path);
        return err_set(err, ERR_INTERNAL, path, "is the disk full?", "could not be written");
    }
    return true;
}

static bool write_pair(const struct signing_key *key, const char *path, const char *public_path,
                       struct err *err)
{
    struct buf secret = {0}, public_text = {0};
    bool ok = signing_key_write(key, &secret, err) &&
              signing_key_write_public(key, &public_text, err) &&
              write_new(path, 0600, buf_span(&secret), err);
    if (ok && !write_new(public_path, 0644, buf_span(&public_text), err)) {
        unlink(path);
        ok = false;
    }
    if (secret.at && secret.len)
        explicit_bzero(secret.at, secret.len);
    buf_finish(&secret);
    buf_finish(&public_text);
    return ok;
}

static int keygen_run(struct invocation *call)
{
    struct err err = {0};
    const char *path = option_value(call, "output");
    if (!path || call->operand_count) {
        err_set(&err, ERR_USAGE, "keygen", "strandline keygen -o KEY",
                path ? "takes no operands" : "no file named for the key");
        return verb_failed(&err);
    }
    const char *public_path = arena_printf(&call->arena, "%s.pub", path);
    struct signing_key *key = signing_key_generate(&err);
    bool ok = key && write_pair(key, path, public_path, &err);
    signing_key_destroy(key);
    if (!ok)
        return verb_failed(&err);
    if (!option_given(call, "quiet")) {
        struct buf line = {0};
        buf_puts(&line, "keep ");
        text_safe(&line, span_of(path));
        buf_puts(&line, " to yourself: it seals; give away ");
        text_safe(&line, span_of(public_path));
        buf_puts(&line, ": it checks\n");
        fwrite(line.at, 1, line.len, stdout);
        buf_finish(&line);
    }
    return 0;
}

static const struct option_spec keygen_options[] = {
    {"output", 'o', "KEY", "the file to write; KEY.pub is written beside it"},
    {NULL, 0, NULL, NULL},
};

const struct verb verb_keygen = {
    .name = "keygen",
    .usage = "-o KEY",
    .summary = "Make a key to seal cases with.",
    .help = "An Ed25519 key in PEM, readable by its owner alone, and its public half in KEY.pub.\n"
            "Neither file may be there yet.\n\n"
            "    strandline keygen -o mine.key\n"
            "    strandline seal incident.strand --key mine.key\n"
            "    strandline verify incident.strand --key mine.key.pub",
    .options = keygen_options,
    .run = keygen_run,
};
