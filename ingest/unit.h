/*
 * A unit: the piece of a source that a reader is given at a time. Units follow
 * one another without a gap, so that what is said of each adds up to the file.
 */
#ifndef STRANDLINE_INGEST_UNIT_H
#define STRANDLINE_INGEST_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

enum framing {
    FRAME_LINES,    /* by '\n' */
    FRAME_TEXT,     /* the same, but an object that is printed over several lines stays together */
    FRAME_VALUES,   /* JSON values back to back, white space or nothing between */
    FRAME_ELEMENTS, /* one JSON document: head, each element of the array at a path, tail */
    FRAME_NETSTRINGS, /* tnetstrings, LENGTH:BYTES and a mark of their type, one behind the other */
    FRAME_PACKETS,    /* records of pcap and pcapng; `line` counts them */
    FRAME_WHOLE,      /* all of it is one unit: where its beginning may stand at its end */
};

enum unit_part {
    UNIT_WHOLE, /* a line, a value, a file */
    UNIT_HEAD,  /* of a document: up to the first element */
    UNIT_ELEMENT,
    UNIT_TAIL, /* of a document: behind the last element */
    UNIT_MARK, /* a byte order mark: nobody reads it */
    UNIT_LOST, /* bytes behind a record whose length can't be: nobody knows where the next begins */
};

struct unit {
    struct span text;      /* without what separates units; valid until the next unit */
    uint64_t offset, line; /* of text, in the source */
    uint64_t start, size;  /* the bytes of the source that the unit takes, separators included */
    const char *recipe;    /* from the bytes [start, start+size) to text, for UTF-16; else NULL */
    enum unit_part part;
    bool cut; /* the file ended inside it */
};

#endif
