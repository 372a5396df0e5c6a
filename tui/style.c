#include "tui/style.h"

#include <stdint.h>
#include <stdlib.h>

struct style_entry {
    const char *name;
    short dark_fg, dark_bg, light_fg, light_bg, fg16, bg16;
    unsigned attributes, mono;
};

static const struct style_entry style_table[STYLE_COUNT] = {
#define X(id, name, meaning, dark_fg, dark_bg, light_fg, light_bg, fg16, bg16, attributes, mono)   \
    [STYLE_##id] = {name, dark_fg, dark_bg, light_fg, light_bg, fg16, bg16, attributes, mono},
    STYLES(X)
#undef X
};

enum { SELECTED_DARK = 238, SELECTED_LIGHT = 153 };

const char *style_name(enum style style)
{
    return style_table[style].name;
}

/* Place of a name in a list with commas, -1 where it is not in it. */
static int place_in(struct span list, struct span name)
{
    for (int place = 0; list.len; place++) {
        size_t end = span_find(list, SPAN(", "));
        if (span_equal(span_sub(list, 0, end), name))
            return place;
        list = span_sub(list, end + 2, list.len);
    }
    return -1;
}

enum style style_of_server(struct span servers, struct span server)
{
    int place = place_in(servers, server);
    if (place >= 0)
        return (enum style)(STYLE_SERVER_0 + place % STYLE_SERVERS);
    uint32_t hash = 2166136261U; /* FNV-1a */
    for (size_t i = 0; i < server.len; i++)
        hash = (hash ^ (unsigned char)server.at[i]) * 16777619U;
    hash ^= hash >> 15;
    return (enum style)(STYLE_SERVER_0 + hash % STYLE_SERVERS);
}

struct look style_look(enum style style, bool selected, enum style_colours colours, bool light)
{
    const struct style_entry *e = &style_table[style];
    struct look look = {-1, -1, e->attributes};
    if (colours == COLOURS_NONE) {
        look.attributes = e->mono;
        if (selected)
            look.attributes ^= LOOK_REVERSE;
        if (selected) /* dim on reverse is unreadable */
            look.attributes &= ~(unsigned)LOOK_DIM;
        return look;
    }
    if (colours == COLOURS_16) {
        look.fg = e->fg16;
        look.bg = e->bg16;
        if (light && look.fg == 15) /* white text on a white ground */
            look.fg = look.bg < 0 ? -1 : 15;
        if (selected && look.bg < 0)
            look = (struct look){-1, -1, look.attributes | LOOK_REVERSE};
        return look;
    }
    look.fg = light ? e->light_fg : e->dark_fg;
    look.bg = light ? e->light_bg : e->dark_bg;
    if (selected && look.bg < 0) {
        look.bg = light ? SELECTED_LIGHT : SELECTED_DARK;
        if (look.fg < 0)
            look.fg = light ? 16 : 255;
        else if (style == STYLE_FAINT || style == STYLE_LANE_LOW)
            look.fg = light ? 241 : 248;
        else if (style == STYLE_DIM || style == STYLE_INFO)
            look.fg = light ? 238 : 251;
    }
    return look;
}

bool style_ground_is_light(enum style_ground ground)
{
    if (ground != GROUND_AUTO)
        return ground == GROUND_LIGHT;
    const char *said = getenv("COLORFGBG"); /* "15;0", "0;default;15" */
    const char *last = said ? strrchr(said, ';') : NULL;
    unsigned long long background;
    return last && span_to_u64(span_of(last + 1), &background) &&
           (background == 7 || (background >= 9 && background <= 15));
}
