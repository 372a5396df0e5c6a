/* The layers of ingest/peel.h, line by line. */
#ifndef STRANDLINE_INGEST_PEEL_LAYERS_H
#define STRANDLINE_INGEST_PEEL_LAYERS_H

#include "base/timefmt.h"
#include "ingest/peel.h"

/* What a layer says of a line. */
struct peeled {
    size_t from;  /* the text inside begins here */
    size_t tail;  /* bytes behind it that are the layer\'s */
    bool literal; /* the text is a JSON string, with its quotes; the parts of one share them */
    bool whole;   /* all of the line belongs to the layer */
    bool partial; /* the line goes on with the next one of its stream */
    bool is_stderr;
    bool timed;
    struct moment when;
    struct span key; /* container, unit, file; empty: as before */
};

struct peel_layer {
    const char *name;  /* "docker compose's prefixes": for the reason */
    const char *noise; /* kind of what is taken off */
    /* False: the line is not of that kind, and is left as it is. */
    bool (*take)(struct span line, size_t width, struct peeled *peeled);
};

/* Ours, for ever. */
const struct peel_layer *peel_layer(enum peel_kind kind);
/* The width that a terminal broke the lines at; 0: they aren't broken. */
size_t peel_width(struct span head, bool whole);
/* Characters of UTF-8 in it. */
size_t peel_characters(struct span line);

#endif
