#include "ingest/framer.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "ingest/packets.h"

enum {
    READ_ROOM = 256 * 1024, /* asked for at a time */
    PATH_NAMES = 4,
};

enum encoding { UTF_8, UTF_16_LE, UTF_16_BE };

/* Where the scanner of JSON values stands; kept between reads, so that no byte is looked at twice.
 */
struct scan {
    size_t at; /* next byte, from the start of the unit */
    size_t depth;
    bool begun, string, escape;
};

struct framer {
    char *bytes;
    size_t begin, end, size; /* bytes[begin, end) are not yet given out */
    uint64_t offset, line;   /* of bytes[begin] in the source */
    bool ended, started;
    char last; /* byte given out */
    enum encoding encoding;
    enum framing framing;
    struct buf decoded;
    struct packet_file packets;
    bool lost;            /* among packets: where the next one begins is not known */
    uint64_t plain_until; /* in text: no object that begins before this is whole */

    struct scan scan;
    size_t searched; /* lines: bytes known to hold no newline */
    enum { IN_HEAD, IN_ARRAY, IN_TAIL } where;

    /* Finding the array of a document. */
    const char *names[PATH_NAMES];
    size_t name_len[PATH_NAMES], name_count;
    size_t matched;         /* names of the path entered so far */
    size_t key_at, key_len; /* the last string at the level looked at, from the unit's start */
    bool key, wanted;       /* a string may be a name; its value is wanted */
};

struct framer *framer_create(void)
{
    struct framer *f = NEW(struct framer);
    f->line = 1;
    return f;
}

void framer_destroy(struct framer *f)
{
    if (!f)
        return;
    buf_finish(&f->decoded);
    mem_free(f->bytes);
    mem_free(f);
}

char *framer_room(struct framer *f, size_t *room)
{
    if (f->begin) {
        memmove(f->bytes, f->bytes + f->begin, f->end - f->begin);
        f->end -= f->begin;
        f->begin = 0;
    }
    if (f->size - f->end < READ_ROOM) {
        size_t size = f->size ? f->size : 2 * READ_ROOM;
        while (size - f->end < READ_ROOM)
            size += size / 2;
        f->bytes = mem_resize(f->bytes, size);
        f->size = size;
    } else if (f->size > 64 * READ_ROOM && f->end < READ_ROOM) {
        f->size = 2 * READ_ROOM; /* one giant unit must not be paid for ever after */
        f->bytes = mem_resize(f->bytes, f->size);
    }
    *room = READ_ROOM;
    return f->bytes + f->end;
}

void framer_filled(struct framer *f, size_t bytes)
{
    f->end += bytes;
}

void framer_end(struct framer *f)
{
    f->ended = true;
}

size_t framer_held(const struct framer *f)
{
    return f->end - f->begin;
}

uint64_t framer_lines(const struct framer *f)
{
    bool counted =
        f->framing == FRAME_LINES || f->framing == FRAME_TEXT; /* a last line that is cut */
    bool open = !counted && f->framing != FRAME_PACKETS && f->encoding == UTF_8 && f->offset &&
                f->last != '\n';
    return f->line - 1 + open;
}

/* ---- encodings ---- */

/*
 * UTF-16 without a mark: of the first characters nearly all are ASCII, so that every other byte is
 * zero. UTF-8 has no zeros at all, but where a disk left a hole; and there both are.
 */
static enum encoding guess_encoding(struct span s)
{
    enum { LOOKED_AT = 512, LEAST = 8 };
    size_t pairs = 0, little = 0, big = 0;
    for (size_t i = 0; i + 1 < s.len && i < LOOKED_AT; i += 2, pairs++) {
        little += s.at[i] && !s.at[i + 1];
        big += !s.at[i] && s.at[i + 1];
    }
    if (pairs < LEAST)
        return UTF_8;
    if (little * 10 >= pairs * 9)
        return UTF_16_LE;
    return big * 10 >= pairs * 9 ? UTF_16_BE : UTF_8;
}

static size_t mark_length(struct span s, enum encoding *encoding)
{
    *encoding = UTF_8;
    if (span_starts_with(s, SPAN("\xef\xbb\xbf")))
        return 3;
    bool little = span_starts_with(s, SPAN("\xff\xfe"));
    if (!little && !span_starts_with(s, SPAN("\xfe\xff"))) {
        *encoding = guess_encoding(s);
        return 0;
    }
    *encoding = little ? UTF_16_LE : UTF_16_BE;
    return 2;
}

static uint32_t unit16(const char *at, enum encoding encoding)
{
    unsigned first = (unsigned char)at[0], second = (unsigned char)at[1];
    return encoding == UTF_16_LE ? first | second << 8 : first << 8 | second;
}

/* UTF-16 to UTF-8; what is no character becomes U+FFFD. */
static void decode16(struct buf *out, struct span s, enum encoding encoding)
{
    buf_clear(out);
    size_t i = 0;
    for (; i + 1 < s.len; i += 2) {
        uint32_t code = unit16(s.at + i, encoding);
        if (code >= 0xd800 && code < 0xdc00 && i + 3 < s.len) {
            uint32_t low = unit16(s.at + i + 2, encoding);
            if (low >= 0xdc00 && low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                i += 2;
            }
        }
        if (code >= 0xd800 && code < 0xe000)
            code = 0xfffd;
        if (code < 0x80)
            buf_byte(out, (char)code);
        else
            utf8_encode(out, code);
    }
    if (i < s.len)
        utf8_encode(out, 0xfffd);
}

struct span framer_head(struct framer *f)
{
    struct span head = {f->bytes ? f->bytes + f->begin : "", f->end - f->begin};
    enum encoding encoding;
    size_t mark = mark_length(head, &encoding);
    head = span_sub(head, mark, head.len);
    if (encoding == UTF_8)
        return head;
    decode16(&f->decoded, head, encoding);
    return buf_span(&f->decoded);
}

bool framer_is_utf8(const struct framer *f)
{
    enum encoding encoding;
    mark_length((struct span){f->bytes ? f->bytes + f->begin : "", f->end - f->begin}, &encoding);
    return encoding == UTF_8;
}

void framer_cut_by(struct framer *f, enum framing framing, const char *elements)
{
    f->framing = framing;
    f->name_count = 0;
    const char *at = elements ? elements : "";
    while (*at && f->name_count < PATH_NAMES) {
        size_t len = strcspn(at, "/");
        f->names[f->name_count] = at;
        f->name_len[f->name_count++] = len;
        at += len + (at[len] == '/');
    }
}

/* ---- giving out ---- */

static size_t count_newlines(const char *at, size_t len)
{
    size_t count = 0;
    for (const char *end = at + len; at < end; at++)
        count += *at == '\n';
    return count;
}

/* Gives out `size` bytes from the front, with so many ends of lines; the text of the unit is
 * [from, to) of them. */
static bool give_counted(struct framer *f, struct unit *unit, size_t size, size_t from, size_t to,
                         uint64_t lines)
{
    const char *at = f->bytes + f->begin;
    *unit = (struct unit){
        .text = {at + from, to - from},
        .offset = f->offset + from,
        .line = f->line + (from && f->framing != FRAME_PACKETS ? count_newlines(at, from) : 0),
        .start = f->offset,
        .size = size,
        .part = UNIT_WHOLE,
    };
    f->line += lines;
    f->last = at[size - 1];
    f->begin += size;
    f->offset += size;
    f->searched = 0;
    f->scan = (struct scan){0};
    return true;
}

static bool give(struct framer *f, struct unit *unit, size_t size, size_t from, size_t to)
{
    return give_counted(f, unit, size, from, to, count_newlines(f->bytes + f->begin, size));
}

/* ---- lines ---- */

static bool next_line(struct framer *f, struct unit *unit)
{
    const char *at = f->bytes + f->begin;
    size_t len = f->end - f->begin;
    const char *newline = memchr(at + f->searched, '\n', len - f->searched);
    if (!newline) {
        f->searched = len;
        if (!f->ended || !len)
            return false;
        give_counted(f, unit, len, 0, len, 1);
        unit->cut = true;
        return true;
    }
    size_t to = (size_t)(newline - at), size = to + 1;
    if (to && at[to - 1] == '\r')
        to--;
    return give_counted(f, unit, size, 0, to, 1);
}

static bool next_line16(struct framer *f, struct unit *unit)
{
    const char *at = f->bytes + f->begin;
    size_t len = f->end - f->begin, i = f->searched & ~(size_t)1;
    while (i + 1 < len && unit16(at + i, f->encoding) != '\n')
        i += 2;
    bool newline = i + 1 < len;
    f->searched = i;
    if (!newline && (!f->ended || !len))
        return false;
    size_t to = newline ? i : len, size = newline ? i + 2 : len;
    if (to >= 2 && unit16(at + to - 2, f->encoding) == '\r')
        to -= 2;
    decode16(&f->decoded, (struct span){at, to}, f->encoding);
    uint64_t line = f->line;
    give(f, unit, size, 0, to);
    f->line = line + 1;
    unit->text = buf_span(&f->decoded);
    unit->recipe = f->encoding == UTF_16_LE ? "u16le;" : "u16be;";
    unit->cut = !newline;
    return true;
}

/* ---- JSON values ---- */

/*
 * Moves the scan over one value that starts at scan->at. True at its end. A raw
 * newline inside a string can't be JSON: the value is given up there (*broken),
 * so that one bad quote doesn't swallow the rest of the file.
 */
static bool scan_value(struct scan *s, const char *at, size_t len, bool *broken)
{
    size_t i = s->at;
    while (i < len) {
        char c = at[i++];
        if (s->string) {
            if (s->escape)
                s->escape = false;
            else if (c == '\\')
                s->escape = true;
            else if (c == '"')
                s->string = false;
            else if (c == '\n') {
                s->at = i;
                return *broken = true;
            }
            if (s->string || s->depth)
                continue;
            s->at = i;
            return true;
        }
        if (c == '"') {
            s->string = true;
        } else if (c == '{' || c == '[') {
            s->depth++;
        } else if (c == '}' || c == ']') {
            if (s->depth)
                s->depth--;
            if (!s->depth) {
                s->at = i;
                return true;
            }
        }
    }
    s->at = i;
    return false;
}

static bool next_value(struct framer *f, struct unit *unit)
{
    const char *at = f->bytes + f->begin;
    size_t len = f->end - f->begin, from = 0;
    bool done = false, broken = false;
    while (from < len && ascii_is_blank(at[from]))
        from++;
    if (from == len)
        return len ? give(f, unit, len, len, len) : false;
    if (at[from] == '{' || at[from] == '[') {
        if (f->scan.at < from)
            f->scan.at = from;
        done = scan_value(&f->scan, at, len, &broken);
    } else { /* no value: what stands there up to the end of its line */
        size_t i = f->scan.at > from ? f->scan.at : from;
        const char *newline = memchr(at + i, '\n', len - i);
        done = newline;
        f->scan.at = newline ? (size_t)(newline - at) + 1 : len;
    }
    if (!done && !f->ended)
        return false;
    size_t size = f->scan.at, to = size;
    while (size < len && ascii_is_blank(at[size])) /* the space behind goes with it */
        if (at[size++] == '\n')
            break;
    while (to > from && ascii_is_blank(at[to - 1]))
        to--;
    give(f, unit, size, from, to);
    unit->cut = !done;
    return true;
}

/* ---- text ---- */

enum { SPREAD_MOST = 4 * 1024 * 1024 }; /* an object that is printed over lines */

/* Does a line break off in the way of printed JSON: behind a bracket or a comma? */
static bool line_goes_on(struct span line)
{
    line = span_trim(line);
    char last = line.len ? line.at[line.len - 1] : 0;
    return last == '{' || last == '[' || last == ',';
}

/* May this be the next line of a printed object? A torn line is followed by one of another kind. */
static bool line_continues(struct span line)
{
    return line.len && (ascii_is_blank(line.at[0]) || ascii_is_one_of(line.at[0], "}]\"")) &&
           span_trim(line).len;
}

/*
 * The bytes of the lines that an object takes whose first line ends at `newline`; 0 where it is
 * none. *more: what there is doesn't tell yet.
 */
static size_t spread_size(struct framer *f, struct span bytes, size_t newline, bool *more)
{
    size_t next = newline + 1;
    struct scan s = {.at = span_find_byte(bytes, '{')};
    bool broken = false;
    while (next < SPREAD_MOST) {
        if (scan_value(&s, bytes.at, next < bytes.len ? next : bytes.len, &broken))
            break;
        struct span rest = span_sub(bytes, next, bytes.len);
        size_t end = span_find_byte(rest, '\n');
        if (end == rest.len && !f->ended) {
            *more = true;
            return 0;
        }
        broken = s.string || !line_continues(span_sub(rest, 0, end));
        if (broken)
            break;
        next += end + (end < rest.len);
    }
    if (!broken && next < SPREAD_MOST)
        return next;
    f->plain_until = f->offset + next; /* so that no line is looked at more than twice */
    return 0;
}

static bool next_text(struct framer *f, struct unit *unit)
{
    struct span bytes = {f->bytes + f->begin, f->end - f->begin};
    const char *newline = memchr(bytes.at + f->searched, '\n', bytes.len - f->searched);
    struct span line = span_sub(bytes, 0, newline ? (size_t)(newline - bytes.at) : 0);
    if (!newline || f->offset < f->plain_until || !line_goes_on(line) ||
        span_find_byte(line, '{') == line.len)
        return next_line(f, unit);
    bool more = false;
    size_t size = spread_size(f, bytes, line.len, &more);
    if (more && bytes.len < SPREAD_MOST)
        return false;
    if (!size)
        return next_line(f, unit);
    size_t to = size;
    while (to && ascii_is_blank(bytes.at[to - 1]))
        to--;
    uint64_t lines = count_newlines(bytes.at, size) + (bytes.at[size - 1] != '\n');
    return give_counted(f, unit, size, 0, to, lines);
}

/* ---- a document's array ---- */

/*
 * Looks for '[' of the array at the path. The string before a ':' at the level
 * of the next name wanted is compared; leaving an entered object forgets it.
 */
static bool find_array(struct framer *f, const char *at, size_t len)
{
    struct scan *s = &f->scan;
    while (s->at < len) {
        size_t i = s->at++;
        char c = at[i];
        if (s->string) {
            if (s->escape)
                s->escape = false;
            else if (c == '\\')
                s->escape = true;
            else if (c == '"') {
                s->string = false;
                f->key_len = i - f->key_at;
                f->key = true;
            }
            continue;
        }
        if (ascii_is_blank(c))
            continue;
        bool at_level = s->depth == f->matched + 1;
        if (c == ':') {
            f->wanted = f->key && at_level && f->matched < f->name_count &&
                        f->key_len == f->name_len[f->matched] &&
                        memcmp(at + f->key_at, f->names[f->matched], f->key_len) == 0;
        } else if (c == '"') {
            s->string = true;
            f->key_at = i + 1;
            f->wanted = false;
        } else if (c == '[' || c == '{') {
            bool last = f->matched + 1 == f->name_count;
            if (c == '[' && ((f->wanted && last) || (!f->name_count && !s->depth)))
                return true;
            if (c == '{' && f->wanted && !last)
                f->matched++;
            s->depth++;
            f->wanted = false;
        } else if (c == ']' || c == '}') {
            if (s->depth)
                s->depth--;
            if (s->depth < f->matched + 1 && f->matched)
                f->matched--;
        } else {
            f->wanted = false;
        }
        f->key = false;
    }
    return false;
}

static bool give_rest(struct framer *f, struct unit *unit, enum unit_part part)
{
    size_t len = f->end - f->begin, from = 0, to = len;
    if (!f->ended || !len)
        return false;
    while (to && ascii_is_blank(f->bytes[f->begin + to - 1]))
        to--;
    while (from < to &&
           (ascii_is_blank(f->bytes[f->begin + from]) || f->bytes[f->begin + from] == ','))
        from++;
    give(f, unit, len, from, to);
    unit->part = part;
    return true;
}

static bool next_element(struct framer *f, struct unit *unit)
{
    const char *at = f->bytes + f->begin;
    size_t len = f->end - f->begin, from = 0;
    while (from < len && (ascii_is_blank(at[from]) || at[from] == ','))
        from++;
    if (from == len)
        return len ? give(f, unit, len, len, len) : false;
    if (at[from] == ']') {
        f->where = IN_TAIL;
        return give_rest(f, unit, UNIT_TAIL);
    }
    bool done = false, broken = false;
    if (f->scan.at < from)
        f->scan.at = from;
    if (at[from] == '{' || at[from] == '[' || at[from] == '"') {
        done = scan_value(&f->scan, at, len, &broken);
    } else {
        while (f->scan.at < len && !done) {
            char c = at[f->scan.at];
            done = ascii_is_blank(c) || c == ',' || c == ']';
            f->scan.at += !done;
        }
    }
    if (!done && !f->ended)
        return false;
    size_t size = f->scan.at > from ? f->scan.at : from + 1;
    give(f, unit, size, from, size);
    unit->part = UNIT_ELEMENT;
    unit->cut = !done;
    return true;
}

static bool next_of_document(struct framer *f, struct unit *unit)
{
    if (f->where == IN_HEAD) {
        if (!find_array(f, f->bytes + f->begin, f->end - f->begin))
            return give_rest(f, unit, UNIT_HEAD);
        f->where = IN_ARRAY;
        size_t size = f->scan.at;
        give(f, unit, size, 0, size);
        unit->part = UNIT_HEAD;
        return true;
    }
    return f->where == IN_ARRAY ? next_element(f, unit) : give_rest(f, unit, UNIT_TAIL);
}

/* ---- tnetstrings ---- */

enum { NETSTRING_DIGITS = 9 }; /* a flow of a gigabyte is none */

static bool next_netstring(struct framer *f, struct unit *unit)
{
    const char *at = f->bytes + f->begin;
    size_t len = f->end - f->begin, digits = 0, size = 0;
    while (digits < len && digits < NETSTRING_DIGITS && at[digits] >= '0' && at[digits] <= '9')
        size = size * 10 + (size_t)(at[digits++] - '0');
    if (digits == len && digits < NETSTRING_DIGITS)
        return give_rest(f, unit, UNIT_WHOLE); /* once it has ended */
    if (!digits || at[digits] != ':')          /* something else: past the line */
        return next_line(f, unit);
    size += digits + 2;
    if (len < size && !f->ended)
        return false;
    bool cut = len < size;
    give(f, unit, cut ? len : size, 0, cut ? len : size);
    unit->cut = cut;
    return true;
}

/* ---- packets ---- */

static bool next_packet(struct framer *f, struct unit *unit)
{
    size_t len = f->end - f->begin;
    struct span bytes = {f->bytes + f->begin, len};
    uint64_t size = 0;
    if (!len)
        return false;
    if (!f->lost)
        size = packets_record_size(&f->packets, bytes, &f->lost);
    if (f->lost) {
        give_counted(f, unit, len, 0, len, 1);
        unit->part = UNIT_LOST;
        return true;
    }
    bool cut = !size || size > len;
    if (cut && !f->ended)
        return false;
    size = cut ? len : size;
    give_counted(f, unit, (size_t)size, 0, (size_t)size, 1);
    unit->cut = cut;
    return true;
}

bool framer_next(struct framer *f, struct unit *unit)
{
    if (!f->started) {
        struct span all = {f->bytes ? f->bytes + f->begin : "", f->end - f->begin};
        enum { ENOUGH = 64 }; /* to tell the encoding */
        if (all.len < ENOUGH && !f->ended)
            return false;
        f->started = true;
        size_t mark = mark_length(all, &f->encoding);
        if (mark) {
            give(f, unit, mark, 0, mark);
            f->line = 1;
            unit->part = UNIT_MARK;
            return true;
        }
    }
    if (f->begin == f->end) /* of an empty file there are no bytes to point at */
        return false;
    if (f->encoding != UTF_8 && f->framing != FRAME_PACKETS)
        return next_line16(f, unit);
    switch (f->framing) {
    case FRAME_LINES:
        return next_line(f, unit);
    case FRAME_TEXT:
        return next_text(f, unit);
    case FRAME_VALUES:
        return next_value(f, unit);
    case FRAME_ELEMENTS:
        return next_of_document(f, unit);
    case FRAME_NETSTRINGS:
        return next_netstring(f, unit);
    case FRAME_PACKETS:
        return next_packet(f, unit);
    case FRAME_WHOLE:
        return give_rest(f, unit, UNIT_WHOLE);
    }
    return false;
}
