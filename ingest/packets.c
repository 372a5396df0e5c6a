#include "ingest/packets.h"

enum {
    RECORD_MOST = 16 * 1024 * 1024, /* no interface has packets of that size */
    PCAP_HEAD = 24,
    PCAP_RECORD = 16,
    BLOCK_LEAST = 12, /* type, length, length */
    MAGIC_BYTES = 4,
};

enum block {
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 2, /* obsolete, but written by old programs */
    BLOCK_SIMPLE = 3,
    BLOCK_ENHANCED = 6,
};

static uint32_t get32(const struct packet_file *file, struct span s, size_t at)
{
    const unsigned char *b = (const unsigned char *)s.at + at;
    if (file->big_endian)
        return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static uint32_t get16(const struct packet_file *file, struct span s, size_t at)
{
    const unsigned char *b = (const unsigned char *)s.at + at;
    return file->big_endian ? (uint32_t)(b[0] << 8 | b[1]) : (uint32_t)(b[1] << 8 | b[0]);
}

static const struct packet_magic {
    struct span bytes;
    bool big_endian;
    uint64_t units_per_second;
} pcap_magics[] = {
    {SPAN_INIT("\xd4\xc3\xb2\xa1"), false, 1000000},
    {SPAN_INIT("\xa1\xb2\xc3\xd4"), true, 1000000},
    {SPAN_INIT("\x4d\x3c\xb2\xa1"), false, 1000000000},
    {SPAN_INIT("\xa1\xb2\x3c\x4d"), true, 1000000000},
};

/* The same in both byte orders. */
static bool is_section(struct span s)
{
    return span_starts_with(s, SPAN("\x0a\x0d\x0d\x0a"));
}

static const struct packet_magic *pcap_magic(struct span head)
{
    for (size_t i = 0; i < COUNT_OF(pcap_magics); i++)
        if (span_starts_with(head, pcap_magics[i].bytes))
            return &pcap_magics[i];
    return NULL;
}

/* The byte order mark of a section, behind its type and length; false where it is none. */
static bool section_order(struct packet_file *file, struct span block)
{
    enum { ORDER_AT = 8 };
    struct span order = span_sub(block, ORDER_AT, MAGIC_BYTES);
    file->big_endian = span_starts_with(order, SPAN("\x1a\x2b\x3c\x4d"));
    return file->big_endian || span_starts_with(order, SPAN("\x4d\x3c\x2b\x1a"));
}

bool packets_magic(struct span head)
{
    struct packet_file file = {0};
    return pcap_magic(head) || (is_section(head) && section_order(&file, head));
}

static uint64_t block_size(struct packet_file *file, struct span bytes, bool *damaged)
{
    if (bytes.len < BLOCK_LEAST)
        return 0;
    if (is_section(bytes) && !section_order(file, bytes)) {
        *damaged = true;
        return 0;
    }
    uint32_t size = get32(file, bytes, 4);
    *damaged = size < BLOCK_LEAST || size % 4 || size > RECORD_MOST;
    return size;
}

uint64_t packets_record_size(struct packet_file *file, struct span bytes, bool *damaged)
{
    *damaged = false;
    if (bytes.len < MAGIC_BYTES)
        return 0;
    if (!file->begun) {
        const struct packet_magic *magic = pcap_magic(bytes);
        file->begun = true;
        file->next_generation = !magic;
        if (magic) {
            file->big_endian = magic->big_endian;
            return PCAP_HEAD;
        }
        *damaged = !is_section(bytes);
    }
    if (*damaged)
        return 0;
    if (file->next_generation)
        return block_size(file, bytes, damaged);
    if (bytes.len < PCAP_RECORD)
        return 0;
    uint64_t size = (uint64_t)get32(file, bytes, 8) + PCAP_RECORD;
    *damaged = size > RECORD_MOST;
    return size;
}

static int64_t packet_time(uint64_t units, const struct packet_interface *interface)
{
    const uint64_t second = 1000000000;
    uint64_t per = interface->units_per_second;
    uint64_t whole = units / per, rest = units % per;
    double part = (double)rest / (double)per * 1e9; /* for units that are powers of two */
    uint64_t ns = second % per == 0 ? rest * (second / per) : (uint64_t)part;
    if (whole > INT64_MAX / second - 1)
        return 0;
    int64_t s = (int64_t)whole;
    int64_t sum;
    if (__builtin_add_overflow(s, interface->offset_s, &sum) ||
        __builtin_mul_overflow(sum, (int64_t)second, &sum) ||
        __builtin_add_overflow(sum, (int64_t)ns, &sum))
        return 0;
    return sum;
}

static void new_interface(struct packet_file *file, struct packet_interface interface)
{
    if (file->interface_count < PACKET_INTERFACES)
        file->interfaces[file->interface_count] = interface;
    if (file->interface_count < UINT32_MAX)
        file->interface_count++;
}

/* ---- pcap ---- */

static enum packet_record take_pcap(struct packet_file *file, struct span record,
                                    struct packet *packet)
{
    if (!file->interface_count) { /* the head comes first */
        const struct packet_magic *magic = pcap_magic(record);
        enum { LINK_AT = 20, LINK_MASK = 0x03ffffff }; /* above: length of frame checks */
        if (!magic || record.len < PCAP_HEAD)
            return PACKET_DAMAGED;
        file->big_endian = magic->big_endian;
        new_interface(file, (struct packet_interface){get32(file, record, LINK_AT) & LINK_MASK,
                                                      magic->units_per_second, 0});
        return PACKET_HEAD;
    }
    if (record.len < PCAP_RECORD)
        return PACKET_DAMAGED;
    const struct packet_interface *interface = &file->interfaces[0];
    uint32_t captured = get32(file, record, 8), original = get32(file, record, 12);
    uint64_t seconds = get32(file, record, 0), part = get32(file, record, 4);
    packet->data = span_sub(record, PCAP_RECORD, captured);
    packet->missing = original > captured ? original - captured : 0;
    packet->link = interface->link;
    packet->time_ns = packet_time(seconds * interface->units_per_second + part, interface);
    packet->timed = seconds != 0;
    return packet->data.len == captured ? PACKET_DATA : PACKET_DAMAGED;
}

/* ---- pcapng ---- */

/* if_tsresol: a power of ten, or of two where the highest bit is set. */
static uint64_t resolution(unsigned char byte)
{
    unsigned power = byte & 0x7f;
    if (byte & 0x80)
        return power < 63 ? UINT64_C(1) << power : 1;
    uint64_t units = 1;
    while (power-- && units <= UINT64_C(1000000000000000000))
        units *= 10;
    return units;
}

static void take_interface(struct packet_file *file, struct span block)
{
    enum { LINK_AT = 8, OPTIONS_AT = 16, OPTION_RESOLUTION = 9, OPTION_OFFSET = 14 };
    struct packet_interface interface = {.units_per_second = 1000000};
    if (block.len >= OPTIONS_AT)
        interface.link = get16(file, block, LINK_AT);
    struct span options = span_sub(block, OPTIONS_AT, block.len);
    options.len -= options.len < 4 ? options.len : 4; /* the length at the block's end */
    while (options.len >= 4) {
        uint32_t code = get16(file, options, 0), len = get16(file, options, 2);
        struct span value = span_sub(options, 4, len);
        if (!code || value.len < len)
            break;
        if (code == OPTION_RESOLUTION && len >= 1)
            interface.units_per_second = resolution((unsigned char)value.at[0]);
        if (code == OPTION_OFFSET && len >= 8) {
            uint64_t first = get32(file, value, 0), second = get32(file, value, 4);
            interface.offset_s =
                (int64_t)(file->big_endian ? first << 32 | second : second << 32 | first);
        }
        options = span_sub(options, 4 + (size_t)(len + 3) / 4 * 4, options.len);
    }
    new_interface(file, interface);
}

/* The packet of a block whose fixed part is `head` bytes long. */
static enum packet_record block_packet(const struct packet_file *file, struct span block,
                                       size_t head, uint32_t interface, uint32_t captured,
                                       uint32_t original, struct packet *packet)
{
    size_t room = block.len >= head + 4 ? block.len - head - 4 : 0;
    if (interface >= file->interface_count || interface >= PACKET_INTERFACES || captured > room)
        return PACKET_DAMAGED;
    packet->data = span_sub(block, head, captured);
    packet->missing = original > captured ? original - captured : 0;
    packet->link = file->interfaces[interface].link;
    return PACKET_DATA;
}

static enum packet_record take_block(struct packet_file *file, struct span block,
                                     struct packet *packet)
{
    enum { ENHANCED_HEAD = 28, SIMPLE_HEAD = 12 };
    if (block.len < BLOCK_LEAST)
        return PACKET_DAMAGED;
    if (is_section(block)) {
        file->interface_count = 0;
        return section_order(file, block) ? PACKET_HEAD : PACKET_DAMAGED;
    }
    uint32_t type = get32(file, block, 0);
    if (type == BLOCK_INTERFACE)
        take_interface(file, block);
    if (type == BLOCK_SIMPLE && block.len >= SIMPLE_HEAD + 4) {
        uint32_t original = get32(file, block, 8), room = (uint32_t)block.len - SIMPLE_HEAD - 4;
        return block_packet(file, block, SIMPLE_HEAD, 0, original < room ? original : room,
                            original, packet);
    }
    if ((type != BLOCK_ENHANCED && type != BLOCK_PACKET) || block.len < ENHANCED_HEAD + 4)
        return PACKET_HEAD;
    uint32_t interface = type == BLOCK_ENHANCED ? get32(file, block, 8) : get16(file, block, 8);
    enum packet_record record =
        block_packet(file, block, ENHANCED_HEAD, interface, get32(file, block, 20),
                     get32(file, block, 24), packet);
    if (record != PACKET_DATA)
        return record;
    uint64_t units = (uint64_t)get32(file, block, 12) << 32 | get32(file, block, 16);
    packet->time_ns = packet_time(units, &file->interfaces[interface]);
    packet->timed = units != 0;
    return PACKET_DATA;
}

enum packet_record packets_take(struct packet_file *file, struct span record, struct packet *packet)
{
    *packet = (struct packet){.data = SPAN_EMPTY};
    if (!file->begun) {
        file->begun = true;
        file->next_generation = !pcap_magic(record);
    }
    return file->next_generation ? take_block(file, record, packet)
                                 : take_pcap(file, record, packet);
}
