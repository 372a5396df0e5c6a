#include "tui/mouse.h"

void mouse_begin(struct mouse_report *report)
{
    *report = (struct mouse_report){.open = true};
}

/* BUTTON is 0 for the left one, and 64 and 65 for the wheel; 4, 8 and 16 in it are keys held. */
static enum mouse_part mouse_tell(const struct mouse_report *r, bool press, struct screen_mouse *at)
{
    enum { HELD = 4 | 8 | 16, LEFT = 0, WHEEL_UP = 64, WHEEL_DOWN = 65 };
    int button = r->number[0] & ~HELD;
    bool wheel = press && (button == WHEEL_UP || button == WHEEL_DOWN);
    if (r->count != 2 || (button != LEFT && !wheel))
        return MOUSE_NOTHING;
    *at = (struct screen_mouse){.row = r->number[2] - 1,
                                .column = r->number[1] - 1,
                                .wheel = !wheel               ? 0
                                         : button == WHEEL_UP ? -1
                                                              : 1,
                                .dropped = !press};
    return MOUSE_WHOLE;
}

enum mouse_part mouse_take(struct mouse_report *r, uint32_t code, struct screen_mouse *at)
{
    enum { LENGTH_MOST = 20, NUMBER_MOST = 9999 };
    bool digit = code >= '0' && code <= '9';
    if (r->length++ < LENGTH_MOST && (digit || (code == ';' && r->count < 2))) {
        int *number = &r->number[r->count];
        if (!digit)
            r->count++;
        else if (*number <= NUMBER_MOST)
            *number = *number * 10 + (int)(code - '0');
        return MOUSE_MORE;
    }
    r->open = false;
    return code == 'M' || code == 'm' ? mouse_tell(r, code == 'M', at) : MOUSE_NOT;
}
