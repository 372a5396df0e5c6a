#include "ingest/segments.h"

#include <arpa/inet.h>
#include <stdio.h>

static unsigned get_be16(struct span s, size_t at)
{
    const unsigned char *b = (const unsigned char *)s.at + at;
    return (unsigned)b[0] << 8 | b[1];
}

static uint32_t get_be32(struct span s, size_t at)
{
    return (uint32_t)get_be16(s, at) << 16 | get_be16(s, at + 2);
}

/* ---- links ---- */

enum { TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86dd, TYPE_ARP = 0x0806 };

/* Numbers of https://www.iana.org/assignments/pcap-link-types; where the type of what is inside
 * stands, and where that begins. */
static const struct link {
    uint32_t number;
    size_t type_at, size;
    enum { BY_TYPE, BY_VERSION } inside;
} links[] = {
    {0, 0, 4, BY_VERSION},   /* BSD loopback: the family is in the byte order of the host */
    {1, 12, 14, BY_TYPE},    /* Ethernet */
    {12, 0, 0, BY_VERSION},  /* raw IP, as BSD numbers it */
    {14, 0, 0, BY_VERSION},  /* raw IP, as OpenBSD does */
    {101, 0, 0, BY_VERSION}, /* raw IP */
    {108, 0, 4, BY_VERSION}, /* OpenBSD loopback */
    {113, 14, 16, BY_TYPE},  /* Linux cooked */
    {228, 0, 0, BY_VERSION}, /* IPv4 */
    {229, 0, 0, BY_VERSION}, /* IPv6 */
    {276, 0, 20, BY_TYPE},   /* Linux cooked, second version */
};

static const struct link *find_link(uint32_t number)
{
    for (size_t i = 0; i < COUNT_OF(links); i++)
        if (links[i].number == number)
            return &links[i];
    return NULL;
}

/* Past the tags of virtual networks (IEEE 802.1Q, 802.1ad). */
static unsigned skip_tags(struct span *rest, unsigned type)
{
    enum { TAGS_MOST = 4 };
    for (int i = 0; i < TAGS_MOST && (type == 0x8100 || type == 0x88a8 || type == 0x9100); i++) {
        if (rest->len < 4)
            return 0;
        type = get_be16(*rest, 2);
        *rest = span_sub(*rest, 4, rest->len);
    }
    return type;
}

/* The IP packet inside; 4, 6, or 0 where there is none, and *noise says what is. */
static int take_link(const struct packet *packet, struct span *ip, const char **noise)
{
    const struct link *link = find_link(packet->link);
    *noise = "packets of links that are not read";
    if (!link)
        return 0;
    *noise = "packets cut short";
    if (packet->data.len < link->size + 1)
        return 0;
    *ip = span_sub(packet->data, link->size, packet->data.len);
    unsigned type = 0;
    if (link->inside == BY_TYPE)
        type = skip_tags(ip, get_be16(packet->data, link->type_at));
    else if ((unsigned char)ip->at[0] >> 4 == 4)
        type = TYPE_IPV4;
    else if ((unsigned char)ip->at[0] >> 4 == 6)
        type = TYPE_IPV6;
    *noise = type == TYPE_ARP ? "ARP" : "packets other than IP";
    return type == TYPE_IPV4 ? 4 : type == TYPE_IPV6 ? 6 : 0;
}

/* ---- IP ---- */

enum { PROTOCOL_TCP = 6, PROTOCOL_UDP = 17, PROTOCOL_ICMP = 1, PROTOCOL_ICMP6 = 58 };

static const char *protocol_noise(unsigned protocol)
{
    switch (protocol) {
    case PROTOCOL_UDP:
        return "UDP";
    case PROTOCOL_ICMP:
    case PROTOCOL_ICMP6:
        return "ICMP";
    default:
        return "protocols other than TCP";
    }
}

/* What is inside an IP packet: its bytes as captured, and how many it had on the wire. */
struct inside {
    struct span bytes;
    uint64_t length;
    unsigned protocol;
};

static const char *take_ipv4(struct span ip, uint64_t on_wire, struct segment *segment,
                             struct inside *inside)
{
    enum { IPV4_LEAST = 20, FRAGMENT = 0x3fff };
    if (ip.len < IPV4_LEAST)
        return "packets cut short";
    size_t head = (size_t)((unsigned char)ip.at[0] & 0xf) * 4;
    uint64_t total = get_be16(ip, 2);
    if (!total || total > on_wire) /* 0: left to the network card to fill in */
        total = on_wire;
    if (head < IPV4_LEAST || head > ip.len || head > total)
        return "packets with wrong lengths";
    static const uint8_t mapped[ADDRESS_SIZE] = {[10] = 0xff, [11] = 0xff};
    memcpy(segment->from.address, mapped, ADDRESS_SIZE);
    memcpy(segment->to.address, mapped, ADDRESS_SIZE);
    memcpy(segment->from.address + 12, ip.at + 12, 4);
    memcpy(segment->to.address + 12, ip.at + 16, 4);
    if (get_be16(ip, 6) & FRAGMENT) /* more follow, or it isn't the first */
        return "fragments of IP packets";
    inside->protocol = (unsigned char)ip.at[9];
    inside->length = total - head;
    inside->bytes = span_sub(ip, head, (size_t)inside->length);
    return NULL;
}

static const char *take_ipv6(struct span ip, uint64_t on_wire, struct segment *segment,
                             struct inside *inside)
{
    enum { IPV6_HEAD = 40, EXTENSIONS_MOST = 16 };
    if (ip.len < IPV6_HEAD)
        return "packets cut short";
    uint64_t length = get_be16(ip, 4);
    if (!length || length > on_wire - IPV6_HEAD)
        length = on_wire - IPV6_HEAD;
    memcpy(segment->from.address, ip.at + 8, ADDRESS_SIZE);
    memcpy(segment->to.address, ip.at + 24, ADDRESS_SIZE);
    unsigned next = (unsigned char)ip.at[6];
    struct span rest = span_sub(ip, IPV6_HEAD, (size_t)length);
    for (int i = 0; i < EXTENSIONS_MOST; i++) {
        if (next == 44)
            return "fragments of IP packets";
        if (next != 0 && next != 43 && next != 60) /* hop by hop, routing, destination */
            break;
        size_t size = rest.len >= 8 ? ((size_t)(unsigned char)rest.at[1] + 1) * 8 : 0;
        if (!size || size > rest.len || size > length)
            return "packets cut short";
        next = (unsigned char)rest.at[0];
        rest = span_sub(rest, size, rest.len);
        length -= size;
    }
    *inside = (struct inside){rest, length, next};
    return NULL;
}

/* ---- TCP ---- */

static const char *take_tcp(const struct inside *inside, struct segment *segment)
{
    enum { TCP_LEAST = 20, FIN = 1, SYN = 2, RST = 4, ACK = 16 };
    struct span tcp = inside->bytes;
    if (tcp.len < TCP_LEAST)
        return "packets cut short";
    size_t head = (size_t)((unsigned char)tcp.at[12] >> 4) * 4;
    if (head < TCP_LEAST || head > inside->length)
        return "packets with wrong lengths";
    unsigned flags = (unsigned char)tcp.at[13];
    segment->from.port = (uint16_t)get_be16(tcp, 0);
    segment->to.port = (uint16_t)get_be16(tcp, 2);
    segment->sequence = get_be32(tcp, 4);
    segment->acknowledged = get_be32(tcp, 8);
    segment->fin = flags & FIN;
    segment->syn = flags & SYN;
    segment->reset = flags & RST;
    segment->ack = flags & ACK;
    segment->payload = span_sub(tcp, head, tcp.len);
    segment->missing = (uint32_t)(inside->length - head - segment->payload.len);
    return NULL;
}

const char *segment_take(const struct packet *packet, struct segment *segment)
{
    struct span ip;
    const char *noise;
    struct inside inside = {.bytes = SPAN_EMPTY};
    *segment = (struct segment){.payload = SPAN_EMPTY};
    int version = take_link(packet, &ip, &noise);
    if (!version)
        return noise;
    uint64_t on_wire = (uint64_t)ip.len + packet->missing;
    noise = version == 4 ? take_ipv4(ip, on_wire, segment, &inside)
                         : take_ipv6(ip, on_wire, segment, &inside);
    if (noise)
        return noise;
    return inside.protocol == PROTOCOL_TCP ? take_tcp(&inside, segment)
                                           : protocol_noise(inside.protocol);
}

void endpoint_text(const struct endpoint *e, char text[ENDPOINT_TEXT])
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    char address[INET6_ADDRSTRLEN];
    bool four = memcmp(e->address, mapped, sizeof mapped) == 0;
    inet_ntop(four ? AF_INET : AF_INET6, e->address + (four ? 12 : 0), address, sizeof address);
    snprintf(text, ENDPOINT_TEXT, four ? "%s:%u" : "[%s]:%u", address, e->port);
}
