#include "tui/listed.h"

void listed_init(struct listed *l)
{
    doc_init(&l->doc);
    doc_view_reset(&l->view, &l->doc);
    l->shown = -1;
}

void listed_finish(struct listed *l)
{
    doc_finish(&l->doc);
}

static void draw_list(const struct listed *l, struct view *v, struct area area, int rows,
                      const struct listed_ops *ops)
{
    cells_ours(area, 0, 1, STYLE_DIM, ops->head);
    for (int row = 0; row < rows - 1 && l->list.top + row < l->list.count; row++) {
        ops->draw_row(v, area, row + 1, l->list.top + row);
        if (l->list.top + row == l->list.cursor)
            cells_select(area, row + 1, 0, area.columns);
    }
    cells_fill(area, rows, 0, area.columns, l->in_doc ? STYLE_DIVIDER_ON : STYLE_DIVIDER, "─");
    int column = cells_oursf(area, rows, 2, STYLE_DIM, " %lld of %lld ",
                             (long long)l->list.cursor + 1, (long long)l->list.count);
    if (ops->sum_up)
        ops->sum_up(v, area, rows, column);
}

void listed_draw(struct listed *l, struct view *v, struct area area, int list_rows,
                 const struct listed_ops *ops)
{
    int rows = list_rows < l->list.count + 2 ? list_rows : (int)l->list.count + 2;
    struct area below = area_sub(area, rows + 1, 2, area.rows - rows - 1, area.columns - 4);
    list_show(&l->list, rows - 1);
    draw_list(l, v, area, rows, ops);
    if (l->shown != l->list.cursor || l->columns != below.columns) {
        doc_clear(&l->doc);
        ops->lay_out(v, l->list.cursor, below.columns);
        doc_view_reset(&l->view, &l->doc);
        l->shown = l->list.cursor;
        l->columns = below.columns;
    }
    doc_view_draw(&l->view, below, l->in_doc);
}

bool listed_act(struct listed *l, struct view *v, enum action action)
{
    bool on_line = l->in_doc && l->view.cursor < l->doc.lines;
    if (action == ACTION_NEXT_PANE || action == ACTION_PREVIOUS_PANE)
        l->in_doc = !l->in_doc;
    else if (l->in_doc && action == ACTION_BACK)
        l->in_doc = false;
    else if (on_line && action == ACTION_OPEN && l->doc.line[l->view.cursor].step)
        explorer_goto(v->explorer, l->doc.line[l->view.cursor].step);
    else if (l->in_doc && action == ACTION_COPY_PATH)
        explorer_copy_path(v->explorer, &l->view);
    else if (l->in_doc ? doc_view_act(&l->view, action) : list_act(&l->list, action))
        return true;
    else if (l->list.count &&
             (action == ACTION_FOLD_ALL || action == ACTION_LEFT || action == ACTION_RIGHT))
        doc_view_act(&l->view, ACTION_FOLD_ALL);
    else
        return false;
    return true;
}
