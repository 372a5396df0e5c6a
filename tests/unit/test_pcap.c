#include <criterion/criterion.h>
#include <zlib.h>

#include "ingest/account.h"
#include "ingest/framer.h"
#include "ingest/readers/readers.h"
#include "tests/unit/ingest_support.h"

/* ---- captures, made by hand ---- */

enum file_kind { LITTLE, BIG, NANO, NEXT, NEXT_BIG };

struct maker {
    struct buf bytes;
    enum file_kind kind;
    uint32_t link;
    uint32_t next[2]; /* sequence number of each end */
    uint32_t clock;
};

static void put_number(struct maker *m, bool big, uint32_t value, int size)
{
    for (int i = 0; i < size; i++)
        buf_byte(&m->bytes, (char)(value >> 8 * (big ? size - 1 - i : i)));
}

static void put32(struct maker *m, uint32_t value)
{
    put_number(m, m->kind == BIG || m->kind == NEXT_BIG, value, 4);
}

static void put16(struct maker *m, uint32_t value)
{
    put_number(m, m->kind == BIG || m->kind == NEXT_BIG, value, 2);
}

static void begin_file(struct maker *m, enum file_kind kind, uint32_t link)
{
    buf_clear(&m->bytes);
    *m = (struct maker){
        .bytes = m->bytes, .kind = kind, .link = link, .next = {1000, UINT32_MAX - 5}};
    if (kind < NEXT) {
        put32(m, kind == NANO ? 0xa1b23c4d : 0xa1b2c3d4);
        put16(m, 2), put16(m, 4), put32(m, 0), put32(m, 0), put32(m, 65535), put32(m, link);
        return;
    }
    put32(m, 0x0a0d0d0a), put32(m, 28), put32(m, 0x1a2b3c4d), put16(m, 1), put16(m, 0);
    put32(m, UINT32_MAX), put32(m, UINT32_MAX), put32(m, 28);
    put32(m, 1), put32(m, 32), put16(m, link), put16(m, 0), put32(m, 0);
    put16(m, 9), put16(m, 1), buf_byte(&m->bytes, 9), buf_fill(&m->bytes, 0, 3); /* nanoseconds */
    put32(m, 0), put32(m, 32);
}

static void put_record(struct maker *m, struct span packet, uint32_t missing)
{
    uint32_t captured = (uint32_t)packet.len, seconds = 1764525600 + m->clock++;
    uint32_t padding = (4 - captured % 4) % 4;
    if (m->kind < NEXT) {
        put32(m, seconds), put32(m, 500), put32(m, captured), put32(m, captured + missing);
        buf_add(&m->bytes, packet);
        return;
    }
    uint64_t ns = (uint64_t)seconds * 1000000000;
    put32(m, 6), put32(m, 32 + captured + padding), put32(m, 0);
    put32(m, (uint32_t)(ns >> 32)), put32(m, (uint32_t)ns), put32(m, captured);
    put32(m, captured + missing), buf_add(&m->bytes, packet), buf_fill(&m->bytes, 0, padding);
    put32(m, 32 + captured + padding);
}

static void put_be(struct buf *b, uint32_t value, int size)
{
    for (int i = size - 1; i >= 0; i--)
        buf_byte(b, (char)(value >> 8 * i));
}

enum { FIN = 1, SYN = 2, RST = 4, ACK = 16 };

/* A packet of ends[from] at a sequence number, without a word of `missing` bytes behind it. */
static void put_segment(struct maker *m, int from, uint32_t sequence, unsigned flags,
                        struct span payload, uint32_t missing)
{
    bool six = m->link == 276 || m->link == 229;
    struct buf p = {0};
    uint32_t length = 20 + (uint32_t)payload.len + missing;
    if (m->link == 1)
        buf_fill(&p, 7, 12), put_be(&p, 0x8100, 2), put_be(&p, 5, 2), put_be(&p, 0x0800, 2);
    else if (m->link == 0)
        put_be(&p, 2, 4);
    else if (m->link == 113)
        buf_fill(&p, 0, 14), put_be(&p, 0x0800, 2);
    else if (m->link == 276)
        put_be(&p, 0x86dd, 2), buf_fill(&p, 0, 18);
    if (six) {
        put_be(&p, 0x60000000, 4), put_be(&p, length + 8, 2), put_be(&p, 0, 1), put_be(&p, 64, 1);
        for (int i = 0; i < 2; i++)
            buf_fill(&p, 0x20, 15), put_be(&p, (uint32_t)(from ^ i), 1);
        put_be(&p, 6, 1), buf_fill(&p, 0, 7); /* an empty header of options */
    } else {
        put_be(&p, 0x4500, 2), put_be(&p, length + 20, 2), put_be(&p, 0, 4);
        put_be(&p, 0x4006, 2), put_be(&p, 0, 2);
        put_be(&p, 0x0a000001 + (uint32_t)from, 4), put_be(&p, 0x0a000001 + (uint32_t)!from, 4);
    }
    put_be(&p, from ? 80 : 40000, 2), put_be(&p, from ? 40000 : 80, 2);
    put_be(&p, sequence, 4), put_be(&p, m->next[!from], 4);
    put_be(&p, 0x5000 | flags, 2), put_be(&p, 0, 4), put_be(&p, 0, 2);
    buf_add(&p, payload);
    put_record(m, buf_span(&p), missing);
    buf_finish(&p);
}

/* The next bytes of an end. */
static void send_bytes(struct maker *m, int from, struct span payload)
{
    put_segment(m, from, m->next[from], ACK, payload, 0);
    m->next[from] += (uint32_t)payload.len;
}

static void sends(struct maker *m, int from, const char *text)
{
    send_bytes(m, from, span_of(text));
}

/* In pieces of so many bytes. */
static void sends_cut(struct maker *m, int from, const char *text, size_t piece)
{
    for (struct span rest = span_of(text); rest.len; rest = span_sub(rest, piece, rest.len))
        send_bytes(m, from, span_sub(rest, 0, piece));
}

static void lose(struct maker *m, int from, size_t bytes)
{
    m->next[from] += (uint32_t)bytes;
}

/* ---- what the reader says of them ---- */

static struct span source; /* the whole file */

static void say(struct buf *said, const struct outlet *out)
{
    static const char *const ways[] = {"?", "c2s", "s2c"};
    for (size_t i = 0; i < out->count; i++) {
        const struct record *r = &out->records[i];
        check_stitched(r, source);
        struct span text = r->text.at ? r->text : r->payload;
        buf_addf(said, "%s %s on %.*s: ", r->kind == RECORD_MESSAGE ? "message" : "other",
                 ways[r->direction], SPAN_ARG(r->connection));
        buf_add(said, span_sub(text, 0, span_find_byte(text, '\r')));
        buf_puts(said, "\n");
    }
    for (size_t i = 0; i < out->settled_count; i++)
        if (out->settled[i].what && *out->settled[i].what)
            buf_addf(said, "bad %d: %s\n", (int)out->settled[i].bytes, out->settled[i].what);
    if (out->bad)
        buf_addf(said, "bad: %s\n", out->bad);
}

static struct account account;

static void read_file(const struct maker *m, struct buf *said)
{
    const struct reader *reader = &reader_pcap;
    struct framer *f = framer_create();
    struct outlet out;
    struct unit unit;
    void *state = reader->open(SPAN("test"));
    outlet_init(&out);
    buf_clear(said);
    account = (struct account){0};
    source = buf_span(&m->bytes);
    framer_cut_by(f, reader->framing, NULL);
    size_t room;
    for (size_t put = 0, n = 1; n; put += n) {
        char *at = framer_room(f, &room);
        n = source.len - put < room ? source.len - put : room;
        memcpy(at, source.at + put, n);
        framer_filled(f, n);
        if (!n)
            framer_end(f);
        while (framer_next(f, &unit)) {
            outlet_clear(&out);
            reader->read(state, &unit, &out);
            account_unit(&account, &unit, &out);
            say(said, &out);
        }
    }
    unit = (struct unit){.text = SPAN_EMPTY};
    outlet_clear(&out);
    reader->end(state, &unit, &out);
    account_unit(&account, &unit, &out);
    say(said, &out);
    uint64_t sum = 0;
    for (size_t i = 0; i < account.count; i++)
        sum += account.lines[i].bytes;
    cr_expect_eq(account.held, 0);
    cr_expect_eq(sum, source.len, "%d of %d", (int)sum, (int)source.len);
    reader->close(state);
    outlet_finish(&out);
    framer_destroy(f);
}

static uint64_t noise(const char *kind)
{
    for (size_t i = 0; i < account.count; i++)
        if (strcmp(account.lines[i].detail, kind) == 0)
            return account.lines[i].bytes;
    return 0;
}

static void expect(const struct maker *m, const char *what, const char *said)
{
    struct buf text = {0};
    read_file(m, &text);
    cr_expect_str_eq(buf_cstr(&text), said, "%s says\n%snot\n%s", what, buf_cstr(&text), said);
    buf_finish(&text);
}

#define PING   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define PONG   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
#define POST   "POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 40\r\n\r\n" PING
#define ANSWER "HTTP/1.1 200 OK\r\nMcp-Session-Id: q\r\nContent-Length: 36\r\n\r\n" PONG
#define BOTH   "message c2s on q: " PING "\nmessage s2c on q: " PONG "\n"

/* Every kind of file and link, whole and in pieces. */
Test(pcap, files_and_links)
{
    static const uint32_t links[] = {0, 1, 101, 113, 229, 276};
    struct maker m = {0};
    for (int kind = LITTLE; kind <= NEXT_BIG; kind++)
        for (size_t i = 0; i < COUNT_OF(links); i++)
            for (size_t piece = 1; piece < 200; piece = piece * 3 + 1) {
                begin_file(&m, (enum file_kind)kind, links[i]);
                put_segment(&m, 0, m.next[0] - 1, SYN, SPAN_EMPTY, 0);
                put_segment(&m, 1, m.next[1] - 1, SYN | ACK, SPAN_EMPTY, 0);
                sends_cut(&m, 0, POST, piece);
                sends_cut(&m, 1, ANSWER, piece);
                expect(&m, "all", BOTH);
            }
    buf_finish(&m.bytes);
}

/* Late, repeated, overlapping, lost. */
Test(pcap, reassembly)
{
    struct maker m = {0};
    struct span post = span_of(POST);
    begin_file(&m, LITTLE, 1);
    put_segment(&m, 0, 999, SYN, SPAN_EMPTY, 0);
    put_segment(&m, 0, 1060, ACK, span_sub(post, 60, 100), 0);
    put_segment(&m, 0, 1020, ACK, span_sub(post, 20, 50), 0);
    put_segment(&m, 0, 1000, ACK, span_sub(post, 0, 30), 0);
    put_segment(&m, 0, 1000, ACK, span_sub(post, 0, 30), 0);
    m.next[0] += (uint32_t)post.len;
    sends(&m, 1, ANSWER);
    expect(&m, "late and twice", BOTH);
    cr_expect_eq(noise("TCP retransmissions"), 10 + 10 + 30);

    begin_file(&m, LITTLE, 1); /* what is sent again says something else; a probe says nothing */
    put_segment(&m, 0, 1000, ACK, span_sub(post, 0, 60), 0);
    put_segment(&m, 0, 1010, ACK, SPAN("HOST: evil"), 0);
    put_segment(&m, 0, 1059, ACK, SPAN("x"), 0);
    put_segment(&m, 0, 1050, ACK, span_sub(post, 50, 100), 0);
    m.next[0] += (uint32_t)post.len;
    sends(&m, 1, ANSWER);
    expect(&m, "twice, and not the same",
           "bad 10: TCP data was sent again with other bytes: which of the two arrived is not "
           "known\n" BOTH);
    cr_expect_eq(noise("TCP retransmissions"), 1 + 10);

    begin_file(&m, LITTLE, 1); /* a hole in a body: the next message is read again */
    sends(&m, 0, POST);
    sends(&m, 1, "HTTP/1.1 200 OK\r\nContent-Length: 36\r\n\r\n{\"jsonrpc\":");
    lose(&m, 1, 10);
    sends(&m, 1, ",\"id\":1,\"result");
    sends(&m, 0, POST);
    sends(&m, 1, ANSWER);
    expect(&m, "a hole",
           "message c2s on 10.0.0.1 to h: " PING "\n" BOTH
           "bad 15: a part of a body that is damaged, or too large\n"
           "bad 11: bytes of this HTTP message are not in the capture\n");

    begin_file(&m, LITTLE, 1); /* cut by the length that was captured of each packet */
    sends(&m, 0, POST);
    put_segment(&m, 1, m.next[1], ACK, SPAN("HTTP/1.1 200 OK\r\nContent-Length: 36\r\n\r\n{\"json"),
                30);
    m.next[1] += 39 + 6 + 30;
    sends(&m, 0, POST);
    sends(&m, 1, ANSWER);
    expect(&m, "captured in part",
           "message c2s on 10.0.0.1 to h: " PING "\n"
           "bad 6: bytes of this HTTP message are not in the capture\n" BOTH);

    begin_file(&m, LITTLE, 1); /* begun while a connection was under way, ended before its end */
    sends(&m, 1, "rest of something\r\n");
    sends(&m, 0, POST);
    sends(&m, 1, ANSWER);
    sends(&m, 0, "POST /mcp HTTP/1.1\r\nContent-Le");
    expect(&m, "in the middle", BOTH "bad 30: the connection ends inside this\n");
    cr_expect_eq(noise("TCP other than HTTP"), 19);
    buf_finish(&m.bytes);
}

#define CHUNKED "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
#define NOTE    "{\"jsonrpc\":\"2.0\",\"method\":\"a/b\"}"

Test(pcap, bodies)
{
    struct maker m = {0};
    for (size_t piece = 1; piece < 300; piece = piece * 4 + 3) {
        begin_file(&m, LITTLE, 101);
        sends(&m, 0, POST);
        sends_cut(&m, 1,
                  CHUNKED "Content-Type: text/event-stream\r\n\r\n"
                          "12\r\nid: 7\r\ndata: {\"jso\r\n"
                          "4d;x=y\r\nnrpc\":\"2.0\",\"method\":\"a/b\"}\r\n\r\n"
                          "id: 8\ndata:{\"jsonrpc\":\ndata: \"2.0\",\"id\":1,\"res\r\n"
                          "A\r\nult\":{}}\n\n\r\n0\r\nTrailer: x\r\n\r\n",
                  piece);
        expect(&m, "events",
               "message c2s on 10.0.0.1 to h: " PING "\n"
               "message s2c on 10.0.0.1 to h: " NOTE "\n"
               "message s2c on 10.0.0.1 to h: {\"jsonrpc\":\n\"2.0\",\"id\":1,\"result\":{}}\n");
    }
    unsigned char packed[200];
    unsigned long size = sizeof packed;
    compress(packed, &size, (const unsigned char *)PONG, strlen(PONG));
    begin_file(&m, NEXT, 101);
    sends(&m, 0, POST);
    sends(&m, 1, "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n");
    send_bytes(&m, 1, (struct span){(char *)packed, size});
    put_segment(&m, 1, m.next[1], FIN | ACK, SPAN_EMPTY, 0);
    expect(&m, "packed, to the end of the connection",
           "message c2s on 10.0.0.1 to h: " PING "\nmessage s2c on 10.0.0.1 to h: " PONG "\n");
    buf_finish(&m.bytes);
}

/* The older HTTP+SSE: requests go one way, answers come on a stream of another connection. */
Test(pcap, events_elsewhere)
{
    struct maker m = {0};
    begin_file(&m, LITTLE, 101);
    sends(&m, 0, "GET /sse HTTP/1.1\r\nHost: h\r\n\r\n");
    sends(&m, 1,
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
          "event: endpoint\ndata: /messages?sessionId=s1\n\n");
    sends(&m, 1, "event: message\ndata: " PONG "\n\n");
    expect(&m, "stream",
           "other c2s on 10.0.0.1 to h: GET /sse HTTP/1.1\nmessage s2c on s1: " PONG "\n");
    begin_file(&m, LITTLE, 101);
    sends(&m, 0,
          "POST /messages?sessionId=s1 HTTP/1.1\r\nHost: h\r\nContent-Length: 40\r\n\r\n" PING);
    sends(&m, 1, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
    sends(&m, 0, "GET /.well-known/oauth HTTP/1.1\r\nHost: h\r\n\r\n");
    sends(&m, 1, "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno");
    expect(&m, "posts",
           "message c2s on s1: " PING "\nother c2s on 10.0.0.1 to h: GET /.well-known/oauth "
           "HTTP/1.1\nother s2c on 10.0.0.1 to h: HTTP/1.1 404 Not Found\n");
    buf_finish(&m.bytes);
}

Test(pcap, what_is_not_read)
{
    struct maker m = {0};
    begin_file(&m, LITTLE, 101);
    send_bytes(&m, 0, SPAN("\x16\x03\x01\x00\x40\x01\x00\x00\x3c\x03\x03more of it"));
    sends(&m, 1, "whatever it answers");
    expect(&m, "TLS", "bad 8: encrypted with TLS: what is said here can't be read\n");
    cr_expect_eq(noise("TLS"), 13 + 19);

    begin_file(&m, LITTLE, 101);
    sends(&m, 0, "SSH-2.0-x\r\n");
    expect(&m, "others", "");
    cr_expect_eq(noise("TCP other than HTTP"), 11);

    begin_file(&m, LITTLE, 101);
    sends(&m, 0, POST);
    sends(&m, 1, "HTTP/1.1 100 Continue\r\n\r\n" ANSWER);
    expect(&m, "an answer before the answer", BOTH);

    begin_file(&m, LITTLE, 101);
    sends(&m, 0, POST);
    sends(&m, 1, "HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x02hi");
    sends(&m, 0, "POST /mcp HTTP/1.1\r\n\r\n");
    expect(&m, "another protocol", "message c2s on 10.0.0.1 to h: " PING "\n");
    cr_expect_eq(noise("connections that left HTTP"), 4 + 22);

    begin_file(&m, LITTLE, 12345);
    sends(&m, 0, POST);
    expect(&m, "a link of another kind", "");

    begin_file(&m, LITTLE, 101);
    sends(&m, 0, POST);
    m.bytes.len -= 10;
    expect(&m, "a file that is cut", "bad: the file ends inside this packet\n");

    begin_file(&m, LITTLE, 101);
    sends(&m, 0, POST);
    put32(&m, 0), put32(&m, 0), put32(&m, UINT32_MAX), put32(&m, 0);
    sends(&m, 0, POST);
    expect(&m, "a length that can't be",
           "bad: a packet of a length that can't be: the rest is not read\n"
           "message c2s on 10.0.0.1 to h: " PING "\n");
    buf_finish(&m.bytes);
}

/* In a case: what a call says is read out of its packets, chunks and packing. */
Test(pcap, into_a_case)
{
    static const char call[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
        "\"name\":\"x\",\"arguments\":{\"a\":1}}}";
    static const char result[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}";
    unsigned char packed[200];
    unsigned long size = sizeof packed;
    struct maker m = {0};
    struct buf text = {0}, said = {0};
    compress(packed, &size, (const unsigned char *)result, strlen(result));
    begin_file(&m, LITTLE, 1);
    buf_addf(&text, "POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: %zu\r\n\r\n%s", strlen(call),
             call);
    sends_cut(&m, 0, buf_cstr(&text), 7);
    buf_clear(&text);
    buf_addf(&text, "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: %lu\r\n\r\n",
             size);
    buf_add(&text, (struct span){(char *)packed, size});
    struct span rest = buf_span(&text);
    for (; rest.len; rest = span_sub(rest, 11, rest.len))
        send_bytes(&m, 1, span_sub(rest, 0, 11));
    struct import_options options = {.server = "s"};
    struct import_totals totals;
    struct case_file *c = import_text("h.pcap", buf_span(&m.bytes), &options, &totals);
    cr_expect_str_eq(say_steps(c, &said), "1:1 tool_call x@s completed | {\"a\":1}\n"
                                          "1:2 tool_result x@s of 1 | {\"content\":[]}\n");
    cr_expect_eq(number_of(c, "SELECT sum(bytes) FROM account"), (int64_t)m.bytes.len);
    case_close(c);
    buf_finish(&text);
    buf_finish(&said);
    buf_finish(&m.bytes);
}
