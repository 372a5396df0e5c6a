/*
 * A document: lines of styled text that wrap, fold and scroll. Details, notes,
 * help and causes are documents; JSON becomes one as a tree. Text from data
 * is marked as such on the way in, and is made safe on the way out.
 */
#ifndef STRANDLINE_TUI_DOC_H
#define STRANDLINE_TUI_DOC_H

#include <stdint.h>

#include "base/mem.h"
#include "tui/action.h"
#include "tui/cells.h"

struct doc_part {
    struct span text;
    enum style style;
    bool data;
};

struct doc_line {
    size_t part, parts; /* its parts: from, count */
    int hang;           /* columns before its second and later rows; 0: a little more than indent */
    int indent;         /* columns */
    size_t fold_end;    /* the last line that goes when it is folded; 0: it has no fold */
    bool folded;
    size_t
        beside;   /* from this part on it is the right side of a line that has two; 0: it has one */
    bool one_row; /* cut at the edge instead of wrapped */
    bool node;    /* a member or an element of JSON: its name is the first part */
    bool inside;  /* what stands in it is JSON inside of a string */
    uint32_t up;  /* the line of the node that it stands in, from 1; 0: none */
    int64_t step; /* Enter goes to this step; 0: nowhere */
};

struct doc {
    struct arena arena;
    struct doc_part *part;
    size_t parts, parts_room;
    struct doc_line *line;
    size_t lines, lines_room;
    bool cut;    /* what is added is the start of something longer */
    bool linear; /* it is read row by row: two sides stand one below the other */
    /* What is long may be ended by a key: asked now and then, and not the whole was added then. */
    bool (*stop)(void *arg);
    void *stop_arg;
    size_t worked; /* bytes looked at since it was asked */
    bool stopped;
};

/* Empty; finish frees it, clear keeps the memory. */
void doc_init(struct doc *d);
void doc_finish(struct doc *d);
void doc_clear(struct doc *d);
/* Is what is added to end here, where so many bytes more were looked at? */
bool doc_is_stopped(struct doc *d, size_t bytes);

/* Building: a line, then what is on it. Texts are copied. */
void doc_line(struct doc *d, int indent);
void doc_ours(struct doc *d, enum style style, const char *text);
void doc_oursf(struct doc *d, enum style style, const char *format, ...) ATTR_PRINTF(3, 4);
void doc_data(struct doc *d, enum style style, struct span text);
/* The second and later rows of the last line begin at `columns`. */
void doc_hang(struct doc *d, int columns);
/* The last line is cut at the edge, never wrapped. */
void doc_one_row(struct doc *d);
/* The last line leads to a step. */
void doc_link(struct doc *d, int64_t step);
/* What is added to the last line from here on stands beside what it has, or below where there is
 * too little room. */
void doc_beside(struct doc *d);
/* What is added from `from` (a line that is there) to the last line can be folded into it. */
void doc_fold_from(struct doc *d, size_t from, bool folded);

/* Text over as many lines as it has, each at `indent`, the first one continuing the open line when
 * `open` is set. Very long lines are laid out in pieces. */
void doc_text(struct doc *d, int indent, enum style style, struct span text, bool open);
/* A JSON value as a folding tree; JSON inside of strings is opened too. False (and nothing added)
 * where it is not one valid value. */
/* With `cut` set, JSON that ends too early is closed where it does. */
bool doc_json(struct doc *d, int indent, struct span value);

/* ---- looking at one ---- */

struct doc_view {
    struct doc *doc;
    size_t top; /* line, and row of it, at the top of the area */
    int top_row;
    size_t cursor;      /* line */
    bool cut;           /* no wrapping: a line a row */
    int rows, columns;  /* of the last drawing */
    struct span needle; /* lit where it is found; borrowed */
};

/* To the first line of the document, which is borrowed. */
void doc_view_reset(struct doc_view *v, struct doc *doc);
/* Draws from the top; `focused` shows the cursor. */
void doc_view_draw(struct doc_view *v, struct area area, bool focused);
/* Moving, folding; false: not its business. */
bool doc_view_act(struct doc_view *v, enum action action);
/* The step that the line under the cursor leads to; 0: none. */
int64_t doc_view_step(const struct doc_view *v);
/* Rows that the document takes at this width, counting no further than `most`. */
int doc_rows(struct doc *d, int columns, int most, bool ascii);
/* The text of one line as plain bytes, for copying. */
void doc_line_text(const struct doc *d, size_t line, struct buf *out);
/* Where the value of a line stands in its JSON, as "/content/0/text"; "#" goes into JSON inside of
 * a string. False: in none, or it is the whole. */
bool doc_line_path(const struct doc *d, size_t line, struct buf *out);
/* The next line (from `from`, forward or back) that holds the needle; false: none. */
bool doc_find(const struct doc *d, struct span needle, size_t from, bool forward, size_t *line);

#endif
