/* One row of the flow: lanes, number, time, who, what, label, verdict, badges. */
#ifndef STRANDLINE_TUI_FLOW_ROW_H
#define STRANDLINE_TUI_FLOW_ROW_H

#include "tui/core.h"

enum { JOIN_TRACKS = 3 };

/* Where each column of the flow stands, for the width at hand. 0 columns: left out. */
struct flow_columns {
    struct span servers; /* of the session, for their colours */
    int lane;            /* columns of each of the two lanes */
    int number_at, number;
    int time_at, time;
    int join_at, join; /* tracks that join calls to results */
    int who_at, who;
    int what_at, what;
    int label_at, label;
    int verdict_at, verdict;
    int badges_at, badges;
};

/* How the rows in sight hang together: a glyph a track, drawn between call and result. */
struct flow_joins {
    const char *glyph[JOIN_TRACKS]; /* NULL: nothing there */
    bool of_cursor[JOIN_TRACKS];    /* belongs to the selected pair */
};

/* They depend on the session, not on the rows in sight: nothing moves sideways when it scrolls. */
void flow_columns_for(struct flow_columns *c, int columns, int64_t steps, int tracks,
                      struct span servers);
/* `first` is the row whose time stands in the header, as it shows only the time since the one
 * before; NULL: none. */
void flow_header_draw(const struct flow_columns *c, struct area area, int row,
                      const struct flow_row *first);
/* Lights the number: the place of the cursor. The rest of the row stays as it is, so that a
 * step down costs a slow line few bytes. */
void flow_row_select(const struct flow_columns *c, struct area area, int row);
/* Finds the joins of `count` rows; gives the number of tracks in use. `all`: no filter hides steps
 * between them, so that a half out of sight is above or below. */
int flow_joins_find(const struct flow_row *rows, size_t count, int64_t cursor_n, bool all,
                    struct flow_joins *joins);
/* `before` is the row above, also where it is out of sight: so a row looks the same wherever it
 * stands. NULL: there is none. */
void flow_row_draw(const struct flow_columns *c, struct area area, int row,
                   const struct flow_row *step, const struct flow_row *before,
                   const struct flow_joins *joins, char mark);

#endif
