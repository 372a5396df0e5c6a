#include "model/case/source.h"

#include <errno.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "model/case/case_internal.h"
#include "model/case/packer.h"

/* Levels 1 to 3 differ by a few percent in size on real logs, and by a factor of two in time. */
enum { PACK_LEVEL = 1 };

/* ---- writing ---- */

struct source_writer {
    struct case_file *c;
    int64_t id;
    uint64_t offset; /* of the next frame to be written */
    uint64_t line;   /* of its first byte */
    size_t filled;   /* bytes in the packer's room */
    struct packer *packer;
    /* Of a source that is gone on with: its bytes, and their digest, as the case has them. */
    uint64_t known;
    uint8_t known_digest[32];
    bool differs;
};

struct source_writer *source_begin(struct case_file *c, struct span path, const char *role,
                                   struct err *err)
{
    struct stmt *stmt = db_stmt(c->db,
                                "INSERT INTO source(path, role, imported_at)"
                                " VALUES(?1, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
                                err);
    if (!stmt)
        return NULL;
    stmt_bind_text(stmt, 1, path);
    stmt_bind_text(stmt, 2, span_of(role));
    if (!stmt_run(stmt, err))
        return NULL;
    struct source_writer *w = NEW(struct source_writer);
    w->c = c;
    w->id = db_last_id(c->db);
    w->line = 1;
    w->packer = packer_create(PACK_LEVEL, c->workers);
    return w;
}

struct source_writer *source_resume(struct case_file *c, int64_t source, struct err *err)
{
    struct arena arena = {0};
    struct source_info info;
    struct source_writer *w = NULL;
    if (source_describe(c, source, &arena, &info, err)) {
        w = NEW(struct source_writer);
        w->c = c;
        w->id = source;
        w->line = 1;
        w->known = info.bytes;
        memcpy(w->known_digest, info.sha256, sizeof w->known_digest);
        w->packer = packer_create(PACK_LEVEL, c->workers);
    }
    arena_finish(&arena);
    return w;
}

int64_t source_writer_id(const struct source_writer *w)
{
    return w->id;
}

static bool store_frame(struct source_writer *w, const struct packed_frame *frame, struct err *err)
{
    if (frame->problem)
        return err_set(err, ERR_INTERNAL, case_where(w->c), NULL, "zstd: %s", frame->problem);
    struct stmt *stmt =
        db_stmt(w->c->db,
                "INSERT OR REPLACE INTO frame(source_id, offset, length, line, packed)"
                " VALUES(?1, ?2, ?3, ?4, ?5)",
                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, w->id);
    stmt_bind_int(stmt, 2, (int64_t)w->offset);
    stmt_bind_int(stmt, 3, (int64_t)frame->length);
    stmt_bind_int(stmt, 4, (int64_t)w->line);
    stmt_bind_blob(stmt, 5, frame->packed);
    return stmt_run(stmt, err);
}

/* Writes the frames that are packed; with `wait`, all that were filled, else at least enough that
 * there is room for another. */
static bool store_frames(struct source_writer *w, bool wait, struct err *err)
{
    struct packed_frame frame;
    while (packer_take(w->packer, wait || !packer_room(w->packer), &frame)) {
        if (!store_frame(w, &frame, err))
            return false;
        w->line += frame.lines;
        w->offset += frame.length;
        packer_release(w->packer);
    }
    return true;
}

/* Of the bytes that the case has: whole frames are hashed, those of the last one go back to the
 * room, to be filled on. At the end of them it shows whether they are the same. */
static struct span pass_known(struct source_writer *w, struct span bytes, struct err *err)
{
    uint64_t whole = w->known - w->known % SOURCE_FRAME;
    struct span part = span_sub(bytes, 0, whole > w->offset ? (size_t)(whole - w->offset) : 0);
    packer_skip(w->packer, part);
    w->offset += part.len;
    w->line += span_count_byte(part, '\n');
    bytes = span_sub(bytes, part.len, bytes.len);
    part = span_sub(bytes, 0, (size_t)(w->known - w->offset - w->filled));
    if (w->offset == whole && part.len) {
        memcpy(packer_room(w->packer) + w->filled, part.at, part.len);
        w->filled += part.len;
        bytes = span_sub(bytes, part.len, bytes.len);
    }
    if (w->offset + w->filled == w->known) {
        uint8_t digest[32];
        packer_room(w->packer);
        packer_peek(w->packer, w->filled, NULL, digest);
        w->differs = memcmp(digest, w->known_digest, sizeof digest) != 0;
        w->known = w->differs ? w->known : 0;
        if (w->differs)
            err_set(err, ERR_EVIDENCE, case_where(w->c), NULL,
                    "the file does not begin as the source that the case has of it");
    }
    return bytes;
}

bool source_append(struct source_writer *w, struct span bytes, struct err *err)
{
    while (w->known && bytes.len) {
        bytes = pass_known(w, bytes, err);
        if (w->differs)
            return false;
    }
    while (bytes.len) {
        struct span part = span_sub(bytes, 0, SOURCE_FRAME - w->filled);
        memcpy(packer_room(w->packer) + w->filled, part.at, part.len);
        w->filled += part.len;
        bytes = span_sub(bytes, part.len, bytes.len);
        if (w->filled < SOURCE_FRAME)
            continue;
        w->filled = 0;
        packer_submit(w->packer, SOURCE_FRAME);
        if (!store_frames(w, false, err))
            return false;
    }
    return true;
}

bool source_differs(const struct source_writer *w)
{
    return w->differs || w->known;
}

void source_abandon(struct source_writer *w)
{
    if (!w)
        return;
    packer_destroy(w->packer);
    mem_free(w);
}

bool source_settle(struct source_writer *w, const struct source_info *info, bool complete,
                   struct err *err)
{
    uint8_t digest[32];
    struct packed_frame rest;
    if (!store_frames(w, true, err))
        return false;
    packer_peek(w->packer, w->filled, w->filled ? &rest : NULL, digest);
    if (w->filled && !store_frame(w, &rest, err))
        return false;
    struct stmt *stmt = db_stmt(
        w->c->db,
        "UPDATE source SET sha256=?2, bytes=?3, lines=?4, format=?5, confidence=?6, reason=?7,"
        " clock_offset_ns=?8, complete=?9 WHERE id=?1",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, w->id);
    stmt_bind_blob(stmt, 2, (struct span){(const char *)digest, sizeof digest});
    stmt_bind_int(stmt, 3, (int64_t)(w->offset + w->filled));
    stmt_bind_int(stmt, 4, (int64_t)info->lines);
    stmt_bind_text(stmt, 5, info->format.len ? info->format : (struct span){0});
    stmt_bind_int(stmt, 6, info->confidence);
    stmt_bind_text(stmt, 7, info->reason.len ? info->reason : (struct span){0});
    stmt_bind_int(stmt, 8, info->clock_offset_ns);
    stmt_bind_int(stmt, 9, complete);
    return stmt_run(stmt, err);
}

bool source_end(struct source_writer *w, const struct source_info *info, bool complete,
                struct err *err)
{
    bool ok = source_settle(w, info, complete, err);
    source_abandon(w);
    return ok;
}

/* ---- what is known ---- */

bool source_describe(struct case_file *c, int64_t source, struct arena *arena,
                     struct source_info *out, struct err *err)
{
    struct stmt *stmt = db_stmt(
        c->db,
        "SELECT path, role, format, confidence, reason, clock_offset_ns, bytes, lines, sha256, complete"
        " FROM source WHERE id=?1",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, source);
    int row = stmt_step(stmt, err);
    if (row > 0) {
        *out = (struct source_info){
            .id = source,
            .path = arena_copy(arena, stmt_text(stmt, 0)),
            .role = arena_copy(arena, stmt_text(stmt, 1)),
            .format = arena_copy(arena, stmt_text(stmt, 2)),
            .confidence = (int)stmt_int(stmt, 3),
            .reason = arena_copy(arena, stmt_text(stmt, 4)),
            .clock_offset_ns = stmt_int(stmt, 5),
            .bytes = (uint64_t)stmt_int(stmt, 6),
            .lines = (uint64_t)stmt_int(stmt, 7),
            .complete = stmt_int(stmt, 9) != 0,
        };
        struct span digest = stmt_blob(stmt, 8);
        if (digest.len == sizeof out->sha256)
            memcpy(out->sha256, digest.at, digest.len);
    } else if (row == 0) {
        err_set(err, ERR_INPUT, case_where(c), NULL, "the case has no source %lld",
                (long long)source);
    }
    stmt_finish(stmt);
    return row > 0;
}

bool source_find(struct case_file *c, const uint8_t sha256[32], const char *role, int64_t *source,
                 struct err *err)
{
    struct stmt *stmt = db_stmt(
        c->db,
        "SELECT id FROM source WHERE sha256=?1 AND role=?2 AND complete AND copy_sha256 IS NULL"
        " LIMIT 1",
        err);
    if (!stmt)
        return false;
    stmt_bind_blob(stmt, 1, (struct span){(const char *)sha256, 32});
    stmt_bind_text(stmt, 2, span_of(role));
    int row = stmt_step(stmt, err);
    *source = row > 0 ? stmt_int(stmt, 0) : 0;
    stmt_finish(stmt);
    return row >= 0;
}

/* ---- reading ---- */

static bool damaged(struct case_file *c, int64_t source, uint64_t offset, const char *what,
                    struct err *err)
{
    return err_set(err, ERR_EVIDENCE, case_where(c),
                   "the case is damaged or was altered; import the log again",
                   "source %lld, byte %llu: %s", (long long)source, (unsigned long long)offset,
                   what);
}

/* Unpacks one frame into out, trusting nothing that the case says of it. */
static bool unpack_frame(struct case_file *c, int64_t source, uint64_t offset, int64_t length,
                         struct span packed, struct buf *out, struct err *err)
{
    if (length <= 0 || length > SOURCE_FRAME)
        return damaged(c, source, offset, "a frame of an impossible length", err);
    if (ZSTD_getFrameContentSize(packed.at, packed.len) != (unsigned long long)length ||
        ZSTD_findFrameCompressedSize(packed.at, packed.len) != packed.len)
        return damaged(c, source, offset, "a frame that is not what its row says", err);
    if (!c->unpack && !(c->unpack = ZSTD_createDCtx()))
        mem_exhausted();
    buf_clear(out);
    size_t size = ZSTD_decompressDCtx(c->unpack, buf_reserve(out, (size_t)length), (size_t)length,
                                      packed.at, packed.len);
    if (ZSTD_isError(size) || size != (size_t)length)
        return damaged(c, source, offset, "a frame that can't be unpacked", err);
    out->len = size;
    return true;
}

/* The place of the frame that was used longest ago. */
static struct frame *oldest_frame(struct case_file *c)
{
    struct frame *oldest = &c->frames[0];
    for (size_t i = 1; i < FRAMES_KEPT; i++)
        if (c->frames[i].used < oldest->used)
            oldest = &c->frames[i];
    return oldest;
}

/* The frame that begins at `offset`, from those kept or from the case. */
static struct frame *frame_at(struct case_file *c, int64_t source, uint64_t offset, struct err *err)
{
    for (size_t i = 0; i < FRAMES_KEPT; i++) {
        struct frame *f = &c->frames[i];
        if (f->source == source && f->offset == offset) {
            f->used = ++c->frame_clock;
            return f;
        }
    }
    struct stmt *stmt =
        db_stmt(c->db, "SELECT length, packed FROM frame WHERE source_id=?1 AND offset=?2", err);
    if (!stmt)
        return NULL;
    stmt_bind_int(stmt, 1, source);
    stmt_bind_int(stmt, 2, (int64_t)offset);
    int row = stmt_step(stmt, err);
    struct frame *f = NULL;
    if (row == 0)
        damaged(c, source, offset, "the case holds no such bytes", err);
    if (row > 0) {
        f = oldest_frame(c);
        f->source = 0;
        if (unpack_frame(c, source, offset, stmt_int(stmt, 0), stmt_blob(stmt, 1), &f->bytes,
                         err)) {
            f->source = source;
            f->offset = offset;
            f->used = ++c->frame_clock;
        } else {
            f = NULL;
        }
    }
    stmt_finish(stmt);
    return f;
}

bool source_read(struct case_file *c, int64_t source, uint64_t offset, uint64_t length,
                 struct buf *out, struct err *err)
{
    if (source <= 0 || offset > INT64_MAX || length > INT64_MAX - offset)
        return damaged(c, source, offset, "a place that can't be", err);
    while (length) {
        uint64_t begin = offset - offset % SOURCE_FRAME;
        struct frame *f = frame_at(c, source, begin, err);
        if (!f)
            return false;
        struct span part = span_sub(buf_span(&f->bytes), (size_t)(offset - begin), (size_t)length);
        if (part.len == 0 || (part.len < length && f->bytes.len < SOURCE_FRAME))
            return damaged(c, source, offset, "the source ends before", err);
        buf_add(out, part);
        offset += part.len;
        length -= part.len;
    }
    return true;
}

/* Hands every frame in order to `take`; they must tile the source exactly. */
static bool each_frame(struct case_file *c, int64_t source, uint64_t *end, uint64_t *lines,
                       bool (*take)(void *arg, struct span bytes, struct err *err), void *arg,
                       struct err *err)
{
    struct stmt *stmt = db_prepare(
        c->db,
        SPAN("SELECT offset, length, line, packed FROM frame WHERE source_id=?1 ORDER BY offset"),
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, source);
    struct buf bytes = {0};
    bool ok = true;
    int row;
    *end = 0;
    *lines = 0;
    while (ok && (row = stmt_step(stmt, err)) != 0) {
        ok = row > 0;
        if (ok && (stmt_int(stmt, 0) != (int64_t)*end || *end % SOURCE_FRAME))
            ok = damaged(c, source, *end, "frames that don't join", err);
        if (ok && stmt_int(stmt, 2) != (int64_t)*lines + 1)
            ok = damaged(c, source, *end, "line numbers that are wrong", err);
        ok = ok &&
             unpack_frame(c, source, *end, stmt_int(stmt, 1), stmt_blob(stmt, 3), &bytes, err) &&
             take(arg, buf_span(&bytes), err);
        if (ok) {
            *end += bytes.len;
            *lines += span_count_byte(buf_span(&bytes), '\n');
        }
    }
    buf_finish(&bytes);
    stmt_finish(stmt);
    return ok;
}

static bool write_part(void *arg, struct span bytes, struct err *err)
{
    const int *fd = arg;
    while (bytes.len) {
        ssize_t done = write(*fd, bytes.at, bytes.len);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return err_set(err, ERR_INTERNAL, "output", "is the disk full?", "%s", strerror(errno));
        bytes = span_sub(bytes, (size_t)done, bytes.len);
    }
    return true;
}

bool source_write_out(struct case_file *c, int64_t source, int fd, struct err *err)
{
    struct arena arena = {0};
    struct source_info info;
    uint64_t end, lines;
    bool ok = source_describe(c, source, &arena, &info, err) &&
              each_frame(c, source, &end, &lines, write_part, &fd, err);
    if (ok && end != info.bytes)
        ok = damaged(c, source, end, "the source ends before", err);
    arena_finish(&arena);
    return ok;
}

static bool hash_part(void *arg, struct span bytes, struct err *err)
{
    (void)err;
    sha256_add(arg, bytes);
    return true;
}

bool source_digest(struct case_file *c, int64_t source, uint8_t sha256[32], uint64_t *bytes,
                   struct err *err)
{
    uint64_t lines;
    struct sha256 hash;
    sha256_init(&hash);
    bool ok = each_frame(c, source, bytes, &lines, hash_part, &hash, err);
    sha256_so_far(&hash, SPAN_EMPTY, sha256);
    sha256_finish(&hash);
    return ok;
}

const char *source_state_word(enum source_state state)
{
    static const char *const words[] = {"changed", "unchanged", "redacted"};
    return words[state];
}

bool source_compare(struct case_file *c, int64_t source, const uint8_t sha256[32], uint64_t bytes,
                    enum source_state *state, struct err *err)
{
    *state = SOURCE_CHANGED;
    struct stmt *stmt =
        db_stmt(c->db, "SELECT sha256, copy_sha256 FROM source WHERE id=?1 AND bytes=?2", err);
    if (!stmt)
        return false;
    const struct span digest = {(const char *)sha256, 32};
    stmt_bind_int(stmt, 1, source);
    stmt_bind_int(stmt, 2, (int64_t)bytes);
    int row = stmt_step(stmt, err);
    if (row > 0 && span_equal(stmt_blob(stmt, 0), digest))
        *state = SOURCE_UNCHANGED;
    else if (row > 0 && span_equal(stmt_blob(stmt, 1), digest))
        *state = SOURCE_REDACTED;
    stmt_finish(stmt);
    return row >= 0;
}

bool source_verify(struct case_file *c, int64_t source, enum source_state *state, struct err *err)
{
    uint8_t digest[32];
    uint64_t bytes;
    *state = SOURCE_CHANGED;
    if (!source_digest(c, source, digest, &bytes, err))
        return err->kind == ERR_EVIDENCE; /* frames that can't be read are an answer too */
    return source_compare(c, source, digest, bytes, state, err);
}
