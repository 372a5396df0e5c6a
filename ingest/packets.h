/*
 * Files of captured packets: pcap (draft-ietf-opsawg-pcap), in both byte orders
 * and both units of time, and pcapng (draft-ietf-opsawg-pcapng). They are read
 * here and not by libpcap, whose offline reader wants a FILE of its own and
 * doesn't tell where in it a packet stands, which is what evidence is.
 */
#ifndef STRANDLINE_INGEST_PACKETS_H
#define STRANDLINE_INGEST_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

enum { PACKET_INTERFACES = 64 };

struct packet_interface {
    uint32_t link;             /* LINKTYPE_ */
    uint64_t units_per_second; /* of its times */
    int64_t offset_s;          /* added to them */
};

/* What a file has said of itself so far; zeroed: nothing. */
struct packet_file {
    bool begun, next_generation, big_endian;
    struct packet_interface interfaces[PACKET_INTERFACES];
    uint32_t interface_count; /* also those beyond the table */
};

/* Does it begin like such a file? */
bool packets_magic(struct span head);
/*
 * Bytes that the next record takes: the head of a file, a packet, a block. 0: more
 * bytes are needed to tell. `*damaged` where there can be none of that size; then the
 * file can't be cut any further. Changes nothing but the byte order of a file that begins.
 */
uint64_t packets_record_size(struct packet_file *file, struct span bytes, bool *damaged);

struct packet {
    struct span data; /* inside the record */
    uint32_t missing; /* bytes of the packet that were not captured */
    uint32_t link;
    int64_t time_ns;
    bool timed;
};

enum packet_record {
    PACKET_HEAD,   /* of the file, of an interface, statistics, names: no packet */
    PACKET_DATA,   /* `packet` is filled */
    PACKET_DAMAGED /* lengths that contradict each other */
};

/* Takes a whole record. */
enum packet_record packets_take(struct packet_file *file, struct span record,
                                struct packet *packet);

#endif
