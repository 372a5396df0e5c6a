/* From a captured packet to the TCP segment in it: Ethernet with VLAN tags, Linux "cooked", BSD
 * loopback and raw IP; IPv4 (RFC 791) and IPv6 (RFC 8200); TCP (RFC 9293). */
#ifndef STRANDLINE_INGEST_SEGMENTS_H
#define STRANDLINE_INGEST_SEGMENTS_H

#include "ingest/packets.h"

enum { ADDRESS_SIZE = 16 };

struct endpoint {
    uint8_t address[ADDRESS_SIZE]; /* IPv4: as ::ffff:a.b.c.d */
    uint16_t port;
};

struct segment {
    struct endpoint from, to;
    uint32_t sequence, acknowledged;
    bool syn, fin, reset, ack;
    struct span payload; /* inside the packet */
    uint32_t missing;    /* bytes behind the payload that were not captured */
};

/* NULL: `segment` is filled. Else what the packet is instead, as a kind of noise. */
const char *segment_take(const struct packet *packet, struct segment *segment);
/* "192.0.2.1:80", "[2001:db8::1]:80" into `text`. */
enum { ENDPOINT_TEXT = 64 };
void endpoint_text(const struct endpoint *e, char text[ENDPOINT_TEXT]);

#endif
