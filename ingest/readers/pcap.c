/* Captures of packets (pcap, pcapng): HTTP/1.1 without TLS is put together from them, and the
 * messages in its bodies are read. */
#include "ingest/http.h"
#include "ingest/outlet.h"
#include "ingest/packets.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"

enum { BUDGET_MOST = 256 * 1024 * 1024 }; /* of unfinished messages, over all connections */

struct pcap {
    struct packet_file file;
    struct http_shared shared;
    struct flows *flows;
};

static void *pcap_open(struct span path)
{
    (void)path;
    struct pcap *p = NEW(struct pcap);
    p->flows = flows_create(&http_flow_user, &p->shared);
    return p;
}

static void pcap_close(void *state)
{
    struct pcap *p = state;
    struct outlet nobody; /* where it was not read to its end */
    outlet_init(&nobody);
    flows_destroy(p->flows, &nobody);
    outlet_finish(&nobody);
    http_shared_finish(&p->shared);
    mem_free(p);
}

static void pcap_read_packet(struct pcap *p, const struct unit *unit, const struct packet *packet,
                             struct outlet *out)
{
    struct segment segment;
    const char *kind = segment_take(packet, &segment);
    if (kind) {
        outlet_noise(out, kind);
        return;
    }
    outlet_noise_part(out, segment.payload.len ? "packet heads" : "packets without data",
                      unit->size - segment.payload.len);
    struct flow_mark mark = {
        .offset = unit->offset + (uint64_t)(segment.payload.at - unit->text.at),
        .time_ns = packet->time_ns,
        .timed = packet->timed,
    };
    flows_put(p->flows, &segment, &mark, out);
    while (p->shared.bytes > BUDGET_MOST && flows_end_oldest(p->flows, out))
        ;
}

static void pcap_read(void *state, const struct unit *unit, struct outlet *out)
{
    struct pcap *p = state;
    struct packet packet;
    if (unit->part == UNIT_LOST || unit->cut) {
        outlet_bad(out, 0,
                   unit->cut ? "the file ends inside this packet"
                             : "a packet of a length that can't be: the rest is not read");
        return;
    }
    switch (packets_take(&p->file, unit->text, &packet)) {
    case PACKET_HEAD:
        outlet_noise(out, "heads of the capture");
        break;
    case PACKET_DATA:
        pcap_read_packet(p, unit, &packet, out);
        break;
    case PACKET_DAMAGED:
        outlet_bad(out, 0, "a packet whose lengths contradict each other");
        break;
    }
}

static void pcap_end(void *state, const struct unit *unit, struct outlet *out)
{
    struct pcap *p = state;
    (void)unit;
    flows_destroy(p->flows, out);
    p->flows = NULL;
}

static void pcap_probe(struct probe *p)
{
    if (packets_magic(p->head))
        probe_say(p, 99, "the first bytes are those of a %s file",
                  span_starts_with(p->head, SPAN("\x0a")) ? "pcapng" : "pcap");
}

static const char *const pcap_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "what is encrypted with TLS, or goes over HTTP/2 and HTTP/3",
    "what the capture lost, or its filter left out",
    "approvals of the person",
    NULL,
};

const struct reader reader_pcap = {
    .name = "pcap",
    .title = "packets (pcap, pcapng) with Streamable HTTP or HTTP+SSE in plain HTTP/1.1",
    .cannot_show = pcap_cannot_show,
    .framing = FRAME_PACKETS,
    .probe = pcap_probe,
    .open = pcap_open,
    .read = pcap_read,
    .end = pcap_end,
    .close = pcap_close,
};
