/*
 * Links in a text that the model wrote: what a host may render, and so fetch
 * (CommonMark 0.31 §6.3 links, §6.4 images, §4.7 reference definitions, §6.5
 * autolinks; HTML img and a; bare URLs as most hosts link them). A strict
 * scanner, not a renderer: it rather finds a link too many than one too few,
 * in one pass.
 */
#ifndef STRANDLINE_MODEL_TRACE_LINK_H
#define STRANDLINE_MODEL_TRACE_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/span.h"

enum link_kind {
    LINK_INLINE,    /* [text](url), ![alt](url) */
    LINK_REFERENCE, /* [label]: url */
    LINK_AUTOLINK,  /* <https://…> */
    LINK_HTML,      /* src, href, srcset, poster … of a tag */
    LINK_BARE,      /* https://… in the text */
};

struct link {
    enum link_kind kind;
    bool image;        /* fetched without a click; of a reference: whether an image uses it */
    struct span url;   /* as written, inside the text given */
    struct span host;  /* without user, port and brackets; empty: none (relative) */
    struct span query; /* behind '?' up to '#'; empty: none */
};

enum { LINK_MAX = 10000 }; /* of one text */

/* All links with a host (scheme http, https, or scheme-relative), in order; they point into
 * `text`. *capped: there were more than LINK_MAX. */
void links_find(struct span text, struct arena *arena, struct link **links, size_t *count,
                bool *capped);

#endif
