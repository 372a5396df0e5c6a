#include "recorder/capture_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/jsonr.h"
#include "base/text.h"
#include "base/timefmt.h"

static const char *const stream_names[STREAMS] = {"c2s", "s2c", "err"};

/* ---- writing ---- */

/* Traffic goes on whatever becomes of the log; the person is told once. */
static void not_written(struct capture_lines *l, uint64_t records)
{
    struct err err;
    l->lost_why = errno;
    l->lost_records += records;
    if (l->complained)
        return;
    l->complained = true;
    err_set(&err, ERR_INTERNAL, l->file->path, "traffic goes on unrecorded until it can be again",
            "%s", strerror(l->lost_why));
    err_print(&err);
}

static void write_batch(struct capture_lines *l)
{
    bool whole = capture_file_begin(l->file) && capture_file_write(l->file, buf_span(&l->batch));
    capture_file_end(l->file, whole);
    if (whole)
        l->complained = false;
    else
        not_written(l, l->batch_records);
    buf_clear(&l->batch);
    l->batch_records = 0;
}

static void begin_record(struct capture_lines *l)
{
    buf_puts(&l->batch, "{\"t\":\"");
    time_print(&l->batch, l->now, 9);
    buf_addf(&l->batch, "\",\"c\":\"%s\",\"n\":%llu", l->connection,
             (unsigned long long)l->number++);
}

static void say_stream(struct capture_lines *l, enum stream stream)
{
    buf_addf(&l->batch, ",\"dir\":\"%s\"", stream_names[stream]);
}

static void end_record(struct capture_lines *l)
{
    buf_puts(&l->batch, "}\n");
    l->batch_records++;
}

/* What could not be written is said as soon as something can be. */
static void say_lost_records(struct capture_lines *l)
{
    uint64_t lost = l->lost_records;
    l->lost_records = 0;
    begin_record(l);
    buf_addf(&l->batch, ",\"lost_records\":%llu,\"why\":", (unsigned long long)lost);
    jsonr_quote(&l->batch, span_of(strerror(l->lost_why)));
    end_record(l);
    l->batch_records = lost; /* should this one fail too, they are still lost */
    write_batch(l);
}

void capture_lines_flush(struct capture_lines *l)
{
    if (!l->batch.len)
        return;
    write_batch(l);
    if (l->lost_records && !l->complained)
        say_lost_records(l);
}

static void flush_when_full(struct capture_lines *l)
{
    if (l->batch.len >= BATCH)
        capture_lines_flush(l);
}

/* ---- what a line is written as ---- */

enum form { FORM_MESSAGE, FORM_RAW, FORM_TEXT, FORM_BASE64 };

static const char *const form_names[] = {"msg", "raw", "text", "base64"};

struct line_text {
    struct span text;
    bool terminated, crlf;
};

/* Can the message stand in a record as it is? Then the record, one level deeper, is valid too, and
 * one line also for those who take a lone CR for a line end. */
static bool can_stand(struct span text)
{
    struct jsonr r;
    if (span_find_byte(text, '\r') < text.len)
        return false;
    jsonr_init(&r, text);
    while (jsonr_next(&r) > JSONR_END)
        if (r.depth >= JSONR_DEPTH - 1) {
            jsonr_finish(&r);
            return false;
        }
    return r.token == JSONR_END;
}

static enum form form_of(const struct capture_line *line, enum stream stream,
                         const struct line_text *t)
{
    if (stream != STREAM_ERR && t->terminated && !line->rest && can_stand(t->text))
        return FORM_MESSAGE;
    if (!utf8_valid(t->text, NULL))
        return FORM_BASE64;
    return stream == STREAM_ERR ? FORM_TEXT : FORM_RAW;
}

static void add_base64(struct buf *out, struct span bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t have = bytes.len - i < 3 ? bytes.len - i : 3;
        uint32_t three = 0;
        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (k < have ? (unsigned char)bytes.at[i + k] : 0);
        char four[4];
        for (size_t k = 0; k < 4; k++)
            four[k] = k <= have ? digits[three >> (18 - 6 * k) & 63] : '=';
        buf_add(out, (struct span){four, sizeof four});
    }
}

enum { PIECE = 48 << 10 }; /* a multiple of 3, for base64 */

/* The next piece of text that can be quoted by itself: it does not end inside a character. */
static struct span take_piece(struct span *rest, enum form form)
{
    size_t len = rest->len < PIECE ? rest->len : PIECE;
    if (form != FORM_BASE64)
        while (len < rest->len && ((unsigned char)rest->at[len] & 0xc0) == 0x80)
            len--;
    struct span piece = span_sub(*rest, 0, len);
    *rest = span_sub(*rest, len, rest->len);
    return piece;
}

static void add_piece(struct buf *out, struct span piece, enum form form)
{
    if (form == FORM_BASE64) {
        add_base64(out, piece);
        return;
    }
    size_t quote = out->len;
    jsonr_quote(out, piece);
    memmove(out->at + quote, out->at + quote + 1, out->len - quote - 2);
    out->len -= 2;
}

static void begin_line(struct capture_lines *l, enum stream stream, const struct line_text *t,
                       enum form form)
{
    const struct capture_line *line = &l->lines[stream];
    begin_record(l);
    say_stream(l, stream);
    if (t->crlf)
        buf_puts(&l->batch, ",\"crlf\":true");
    if (line->rest)
        buf_puts(&l->batch, ",\"rest\":true");
    if (!t->terminated)
        buf_puts(&l->batch, ",\"open\":true");
    if (line->undelivered)
        buf_puts(&l->batch, ",\"undelivered\":true");
    buf_addf(&l->batch, ",\"%s\":%s", form_names[form], form == FORM_MESSAGE ? "" : "\"");
}

static void record_near(struct capture_lines *l, enum stream stream, const struct line_text *t)
{
    enum form form = form_of(&l->lines[stream], stream, t);
    begin_line(l, stream, t, form);
    if (form == FORM_MESSAGE) {
        buf_add(&l->batch, t->text);
    } else {
        struct span rest = t->text;
        while (rest.len)
            add_piece(&l->batch, take_piece(&rest, form), form);
        buf_byte(&l->batch, '"');
    }
    end_record(l);
    flush_when_full(l);
}

/* A long line goes to the file in pieces, under one lock. */
static bool write_far(struct capture_lines *l, struct span text, enum form form)
{
    bool whole = capture_file_begin(l->file) && capture_file_write(l->file, buf_span(&l->batch));
    buf_clear(&l->batch);
    if (form == FORM_MESSAGE) {
        whole = whole && capture_file_write(l->file, text);
    } else {
        while (whole && text.len) {
            add_piece(&l->batch, take_piece(&text, form), form);
            whole = capture_file_write(l->file, buf_span(&l->batch));
            buf_clear(&l->batch);
        }
        buf_byte(&l->batch, '"');
    }
    end_record(l);
    whole = whole && capture_file_write(l->file, buf_span(&l->batch));
    capture_file_end(l->file, whole);
    buf_clear(&l->batch);
    l->batch_records = 0;
    return whole;
}

static void record_far(struct capture_lines *l, enum stream stream, const struct line_text *t)
{
    enum form form = form_of(&l->lines[stream], stream, t);
    capture_lines_flush(l);
    begin_line(l, stream, t, form);
    if (!write_far(l, t->text, form))
        not_written(l, 1);
}

/* ---- putting lines together ---- */

static bool write_spill(int fd, struct span bytes)
{
    while (bytes.len) {
        ssize_t n = write(fd, bytes.at, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes = span_sub(bytes, (size_t)n, bytes.len);
    }
    return true;
}

static bool spill(struct capture_lines *l, struct capture_line *line)
{
    struct span near = buf_span(&line->near);
    if (line->spill < 0)
        line->spill = capture_file_spill(l->file);
    bool kept = line->spill >= 0 && write_spill(line->spill, near);
    if (kept)
        line->spilled += near.len;
    else
        line->failed = line->spilled + near.len;
    buf_finish(&line->near);
    return kept;
}

static void drop_spill(struct capture_line *line)
{
    if (line->spill >= 0)
        close(line->spill);
    line->spill = -1;
    line->spilled = 0;
}

static void say_lost(struct capture_lines *l, enum stream stream, uint64_t bytes, const char *why)
{
    begin_record(l);
    say_stream(l, stream);
    buf_addf(&l->batch, ",\"lost\":%llu,\"why\":\"%s\"", (unsigned long long)bytes, why);
    end_record(l);
    flush_when_full(l);
}

static void record_text(struct capture_lines *l, enum stream stream, struct span text,
                        bool terminated, bool far)
{
    struct line_text t = {text, terminated, false};
    if (terminated && text.len && text.at[text.len - 1] == '\r') {
        t.crlf = true;
        t.text.len--;
    }
    if (far)
        record_far(l, stream, &t);
    else
        record_near(l, stream, &t);
}

static void record_spilled(struct capture_lines *l, enum stream stream, bool terminated)
{
    struct capture_line *line = &l->lines[stream];
    if (!line->failed && line->near.len)
        spill(l, line);
    void *map = MAP_FAILED;
    if (!line->failed)
        map = mmap(NULL, line->spilled, PROT_READ, MAP_PRIVATE, line->spill, 0);
    if (map == MAP_FAILED) {
        uint64_t bytes = line->failed ? line->failed : line->spilled;
        say_lost(l, stream, bytes, "no room for a long line");
        return;
    }
    madvise(map, line->spilled, MADV_SEQUENTIAL);
    record_text(l, stream, (struct span){map, line->spilled}, terminated, true);
    munmap(map, line->spilled);
}

/* The line that was begun is all there will be of it. */
static void end_line(struct capture_lines *l, enum stream stream, bool terminated)
{
    struct capture_line *line = &l->lines[stream];
    if (line->spilled || line->failed)
        record_spilled(l, stream, terminated);
    else
        record_text(l, stream, buf_span(&line->near), terminated, false);
    drop_spill(line);
    line->failed = 0;
    line->rest = false;
    if (line->near.size > PIECE)
        buf_finish(&line->near);
    buf_clear(&line->near);
}

static bool is_begun(const struct capture_line *line)
{
    return line->near.len || line->spilled || line->failed;
}

static void add_to_line(struct capture_lines *l, enum stream stream, struct span bytes)
{
    struct capture_line *line = &l->lines[stream];
    if (line->failed) {
        line->failed += bytes.len;
        return;
    }
    buf_add(&line->near, bytes);
    if (line->near.len < LINE_NEAR)
        return;
    if (stream == STREAM_ERR) {
        end_line(l, stream, false);
        line->rest = true;
    } else {
        spill(l, line);
    }
}

void capture_lines_take(struct capture_lines *l, enum stream stream, struct span bytes)
{
    struct capture_line *line = &l->lines[stream];
    line->bytes += bytes.len;
    while (bytes.len) {
        size_t end = span_find_byte(bytes, '\n');
        struct span part = span_sub(bytes, 0, end);
        if (end == bytes.len) {
            add_to_line(l, stream, part);
            return;
        }
        if (is_begun(line)) {
            add_to_line(l, stream, part);
            end_line(l, stream, true);
        } else {
            record_text(l, stream, part, true, false);
            line->rest = false;
        }
        bytes = span_sub(bytes, end + 1, bytes.len);
    }
}

void capture_lines_undelivered(struct capture_lines *l, enum stream stream)
{
    l->lines[stream].undelivered = true;
}

void capture_lines_lost(struct capture_lines *l, enum stream stream, uint64_t bytes)
{
    if (is_begun(&l->lines[stream]))
        end_line(l, stream, false);
    l->lines[stream].bytes += bytes;
    l->lines[stream].rest = true;
    say_lost(l, stream, bytes, "the log could not keep up");
}

void capture_lines_closed(struct capture_lines *l, enum stream stream, bool by_receiver)
{
    if (is_begun(&l->lines[stream]))
        end_line(l, stream, false);
    begin_record(l);
    say_stream(l, stream);
    buf_addf(&l->batch, ",\"closed\":\"%s\"", by_receiver ? "receiver" : "sender");
    end_record(l);
}

/* ---- first and last ---- */

static void make_connection_id(char *to, size_t size)
{
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        random = (uint64_t)now.tv_sec << 34 ^ (uint64_t)now.tv_nsec << 4 ^ (uint64_t)getpid();
    }
    snprintf(to, size, "%016llx", (unsigned long long)random);
}

void capture_lines_init(struct capture_lines *l, struct capture_file *file)
{
    *l = (struct capture_lines){.file = file};
    make_connection_id(l->connection, sizeof l->connection);
    for (size_t i = 0; i < STREAMS; i++)
        l->lines[i].spill = -1;
}

void capture_lines_finish(struct capture_lines *l)
{
    for (size_t i = 0; i < STREAMS; i++) {
        drop_spill(&l->lines[i]);
        buf_finish(&l->lines[i].near);
    }
    buf_finish(&l->batch);
}

void capture_lines_start(struct capture_lines *l, const struct capture_start *start)
{
    struct buf *out = &l->batch;
    buf_puts(out, CAPTURE_MAGIC ",\"time\":\"");
    time_print(out, l->now, 9);
    buf_addf(out, "\",\"connection\":\"%s\",\"n\":%llu", l->connection,
             (unsigned long long)l->number++);
    if (start->server) {
        buf_puts(out, ",\"server\":");
        jsonr_quote(out, span_of(start->server));
    }
    buf_addf(out, ",\"pid\":%d,\"recorder\":{\"version\":\"%s\",\"pid\":%d},\"command\":[",
             start->pid, STRANDLINE_VERSION, (int)getpid());
    for (size_t i = 0; start->command[i]; i++) {
        if (i)
            buf_byte(out, ',');
        jsonr_quote(out, span_of(start->command[i]));
    }
    buf_byte(out, ']');
    char *cwd = getcwd(NULL, 0);
    if (cwd) {
        buf_puts(out, ",\"cwd\":");
        jsonr_quote(out, span_of(cwd));
    }
    free(cwd);
    end_record(l);
}

void capture_lines_signal(struct capture_lines *l, int number)
{
    begin_record(l);
    buf_addf(&l->batch, ",\"signal\":%d,\"name\":\"SIG%s\"", number, sigabbrev_np(number));
    end_record(l);
}

void capture_lines_end(struct capture_lines *l, int status)
{
    for (enum stream s = 0; s < STREAMS; s++)
        if (is_begun(&l->lines[s]))
            end_line(l, s, false);
    begin_record(l);
    if (status < 0) {
        const char *name = sigabbrev_np(-status);
        buf_addf(&l->batch, ",\"end\":\"signal\",\"signal\":%d", -status);
        if (name)
            buf_addf(&l->batch, ",\"name\":\"SIG%s\"", name);
    } else {
        buf_addf(&l->batch, ",\"end\":\"exit\",\"status\":%d", status);
    }
    buf_puts(&l->batch, ",\"bytes\":{");
    for (enum stream s = 0; s < STREAMS; s++)
        buf_addf(&l->batch, "%s\"%s\":%llu", s ? "," : "", stream_names[s],
                 (unsigned long long)l->lines[s].bytes);
    buf_puts(&l->batch, "}");
    end_record(l);
    capture_lines_flush(l);
    if (l->lost_records)
        say_lost_records(l);
}
