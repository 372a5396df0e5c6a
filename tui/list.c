#include "tui/list.h"

static int64_t list_clamp(int64_t value, int64_t low, int64_t high)
{
    return value > high ? (high < low ? low : high) : value < low ? low : value;
}

void list_show(struct list *list, int rows)
{
    list->rows = rows;
    list->cursor = list_clamp(list->cursor, 0, list->count - 1);
    /* A row of context stays in sight above and below, as long as there is room for it. */
    int64_t margin = rows > 6 ? 2 : 0;
    if (list->cursor - margin < list->top)
        list->top = list->cursor - margin;
    if (list->cursor + margin >= list->top + rows)
        list->top = list->cursor + margin - rows + 1;
    list->top = list_clamp(list->top, 0, list->count - rows);
}

bool list_act(struct list *list, enum action action)
{
    int64_t page = list->rows > 2 ? list->rows - 1 : 1, by;
    switch (action) {
    case ACTION_UP:
        by = -1;
        break;
    case ACTION_DOWN:
        by = 1;
        break;
    case ACTION_PAGE_UP:
        by = -page;
        break;
    case ACTION_PAGE_DOWN:
        by = page;
        break;
    case ACTION_HALF_UP:
        by = -(page + 1) / 2;
        break;
    case ACTION_HALF_DOWN:
        by = (page + 1) / 2;
        break;
    case ACTION_TOP:
        by = -list->count;
        break;
    case ACTION_BOTTOM:
        by = list->count;
        break;
    default:
        return false;
    }
    list->cursor = list_clamp(list->cursor + by, 0, list->count - 1);
    return true;
}
