/* Keys: names, actions, what each does to the selected step; and random keys for a while. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <time.h>

#include "tests/unit/fake_review.h"
#include "tests/unit/numbers.h"
#include "tui/action.h"
#include "tui/core.h"
#include "tui/doc.h"
#include "tui/mouse.h"

static struct explorer *open_case(const struct fake_session *sessions, size_t count)
{
    struct explorer_options options = {.name = "a.strand", .rows = 36, .columns = 120};
    struct err err = {0};
    fake_use(sessions, count);
    struct explorer *x = explorer_create(&options, &err);
    cr_assert(x, "%s", err.what);
    explorer_frame(x);
    return x;
}

Test(keys, names_go_both_ways)
{
    static const char *const names[] = {"Up", "PgDn", "C-l",   "F10",   "x",
                                        "G",  "&",    "Enter", "S-Tab", "é"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct key key = {0};
        struct buf back = {0};
        cr_assert(key_parse(span_of(names[i]), &key), "%s", names[i]);
        key_put_name(key, &back);
        cr_expect(span_is(buf_span(&back), names[i]), "%s became %s", names[i], buf_cstr(&back));
        buf_finish(&back);
    }
    static const char *const none[] = {"", "Upwards", "C-", "ab", "\xff", "\x1b"};
    struct key key;
    for (size_t i = 0; i < COUNT_OF(none); i++)
        cr_expect_not(key_parse(span_of(none[i]), &key), "%s", none[i]);
}

Test(keys, no_key_means_two_things)
{
    struct keymap map;
    keymap_init(&map);
    for (int a = 1; a < ACTION_COUNT; a++) {
        struct span rest = span_of(action_info((enum action)a)->keys);
        while ((rest = span_trim(rest)).len) {
            size_t end = span_find_byte(rest, ' ');
            struct key key = {0};
            cr_assert(key_parse(span_sub(rest, 0, end), &key), "%s: %.*s",
                      action_info((enum action)a)->name, SPAN_ARG(rest));
            cr_assert_eq((int)keymap_action(&map, key), a, "%.*s is also %s", (int)end, rest.at,
                         action_info(keymap_action(&map, key))->name);
            rest = span_sub(rest, end, rest.len);
        }
        cr_assert_eq((int)action_of_name(span_of(action_info((enum action)a)->name)), a);
    }
}

Test(keys, moving_and_jumping)
{
    static const struct {
        const char *line;
        int64_t n;
    } cases[] = {
        {"", 12}, /* the first that went wrong; all others begin at the top */
        {"j", 2},
        {"j j k", 2},
        {"G", 16},
        {"G g", 1},
        {"v", 12},
        {"v v", 14},
        {"v v v", 16},
        {"v v v v", 16},
        {"v v V", 12},
        {"u", 4},
        {"p", 8},
        {"t t", 8},
        {"t t T", 4},
        {")", 11},
        {") ( ", 11},
        {"% 5 0 % Enter", 8},
        {":12", 12},
        {":goto 7", 7},
        {":goto 0", 1},
        {":goto 999", 1},
        {"p o", 6},
        {"p o o", 8},
        {"m a G ' a", 1},
        {"v ' '", 1},
        {"/payroll", 8},
        {"/payroll n", 10},
        {"/payroll N", 2},
        {"k k k", 1},
        {"PgDn PgDn PgDn", 16},
        {"&get_me", 1},
        {":next-violation", 12},
        {":show 7", 7}, /* verbs of the command line, with the step that they take */
        {":why 7", 7},
        {":why 99", 1},
        {"v f :steps", 12},
        {":replay", 1},
        {":verify", 1},
        {":first-p", 8},
        {"w Enter", 1},
        {"f Enter", 14},
        {"e Enter", 4},
        {"x j Enter", 14},
        {"S Enter Enter", 12},
        {"S Enter j Enter", 13},
        {"d j Enter", 3},
        {":policy fides", 1},
        {":policy none", 1},
        {"u D Enter", 12},
        {"u o L Enter", 3}, /* of a call, its result is labelled */
        {"u D U Enter", 4},
        {"j c P n o n e Enter", 2},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct explorer *x = open_case(&fake_github, 1);
        /* "/words" takes the whole line: keys behind it are typed on their own */
        struct span line = span_of(cases[i].line);
        size_t cut =
            line.len && (line.at[0] == '/' || line.at[0] == '&') ? span_find_byte(line, ' ') : 0;
        if (line.len)
            explorer_line(x, SPAN("g"));
        explorer_line(x, span_sub(line, 0, cut));
        while (explorer_idle(x))
            ;
        for (struct span rest = span_trim(span_sub(line, cut, line.len)); rest.len;) {
            size_t end = rest.at[0] == ':' ? rest.len : span_find_byte(rest, ' ');
            explorer_line(x, span_sub(rest, 0, end)); /* key by key, as a person does */
            rest = span_trim(span_sub(rest, end, rest.len));
            explorer_frame(x);
            while (explorer_idle(x))
                ;
        }
        while (explorer_idle(x))
            ;
        explorer_frame(x);
        if (cases[i].line[0] != '/' || cut == line.len)
            cr_expect_eq(x->n, cases[i].n, "%s: at %lld", cases[i].line, (long long)x->n);
        explorer_destroy(x);
    }
}

static bool frame_has(struct explorer *x, const char *text)
{
    struct buf seen = {0};
    cells_text(explorer_frame(x), &seen);
    bool found = span_find(buf_span(&seen), span_of(text)) < seen.len;
    buf_finish(&seen);
    return found;
}

Test(keys, what_is_offered_is_taken_or_replaced)
{
    static const struct {
        const char *keys, *line;
    } cases[] = {
        {"u L", "came in as: trusted,public"},
        {"u L p u b l i c", "came in as: public "},
        {"u L End - x", "came in as: trusted,public-x"},
        {"u L Backspace", "came in as: trusted,publi "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct explorer *x = open_case(&fake_github, 1);
        for (struct span rest = span_of(cases[i].keys); rest.len;) {
            size_t end = span_find_byte(rest, ' ');
            explorer_line(x, span_sub(rest, 0, end));
            while (explorer_idle(x))
                ;
            rest = span_trim(span_sub(rest, end, rest.len));
        }
        cr_expect(frame_has(x, cases[i].line), "%s: %s", cases[i].keys, cases[i].line);
        explorer_destroy(x);
    }
}

/* The bottom line says how to get help and how to get away on every screen, at every width. */
Test(keys, help_and_the_way_back_are_in_sight)
{
    static const char *const screens[] = {"",  "Enter", "Tab", "w",       "f",      "e",
                                          "x", "d",     "i",   "c",       "R",      "=",
                                          "A", "O",     "s",   "S Enter", ":lesson"};
    for (size_t i = 0; i < COUNT_OF(screens); i++) {
        for (int columns = 60; columns < 130; columns += 3) {
            struct explorer *x = open_case(&fake_github, 1);
            explorer_resize(x, 15, columns);
            explorer_line(x, SPAN("j k"));
            explorer_line(x, span_of(screens[i]));
            while (explorer_idle(x))
                ;
            cr_expect(frame_has(x, i ? "? help   q back" : "? help   q quit"), "%s at %d columns",
                      screens[i], columns);
            explorer_destroy(x);
        }
    }
}

Test(keys, the_answer_of_a_lesson_is_in_sight_in_the_smallest_window)
{
    struct explorer *x = open_case(&fake_github, 1);
    explorer_resize(x, 15, 60);
    explorer_line(x, SPAN(":lesson"));
    cr_expect(frame_has(x, "4  untrusted, private"), "all that can be answered");
    explorer_line(x, SPAN("1"));
    cr_expect(frame_has(x, "✔ Right.") || frame_has(x, "✘ Not quite."));
    cr_expect(frame_has(x, "Enter goes on."));
    explorer_destroy(x);
}

static bool always(void *arg)
{
    (void)arg;
    return true;
}

/* The start of a long body is there at once; the rest comes between keys, and the place stays. */
Test(keys, a_long_body_is_read_on)
{
    enum { LINES = 40000 };
    struct buf body = {0};
    for (int i = 0; i < LINES; i++)
        buf_addf(&body, "line %d of it\n", i);
    struct fake_step step = fake_quiet.steps[0];
    step.kind = STEP_TOOL_RESULT;
    step.body = buf_cstr(&body);
    const struct fake_session one = {"long", "", "", &step, 1, 1};
    struct explorer *x = open_case(&one, 1);
    explorer_key(x, KEY_OF(KEYS_ENTER));
    cr_assert(frame_has(x, "line 0 of it"));
    for (int i = 0; i < 40; i++)
        explorer_key(x, KEY_OF('j'));
    cr_assert(frame_has(x, "line 40 of it"));
    explorer_idle(x);
    cr_assert(frame_has(x, "line 40 of it"), "the place stays");
    explorer_key(x, KEY_OF('G'));
    cr_assert(frame_has(x, "line 39999 of it"), "all of it is there");
    explorer_destroy(x);
    x = open_case(&one, 1);
    explorer_key(x, KEY_OF(KEYS_ENTER));
    explorer_frame(x);
    explorer_key(x, KEY_OF('G'));
    cr_assert(frame_has(x, "cut here"), "so far that is the end");
    x->has_key = always;
    explorer_idle(x);
    cr_assert(frame_has(x, "cut here"), "a key that waits comes first");
    x->has_key = NULL;
    explorer_idle(x);
    cr_assert(frame_has(x, "line 39999 of it"), "whoever stands there goes with it");
    explorer_destroy(x);
    buf_finish(&body);
}

Test(keys, the_mouse_selects)
{
    struct explorer *x = open_case(&fake_github, 1);
    explorer_line(x, SPAN("g"));
    explorer_frame(x);
    explorer_mouse(x, MOUSE_CLICK, 7, 20); /* title, strip and head are above the first step */
    cr_expect_eq(x->n, 5);
    explorer_mouse(x, MOUSE_WHEEL_DOWN, 7, 20);
    cr_expect_eq(x->n, 8);
    explorer_mouse(x, MOUSE_WHEEL_UP, 7, 20);
    cr_expect_eq(x->n, 5);
    explorer_frame(x);
    explorer_mouse(x, MOUSE_CLICK, 1, 1); /* the begin of the strip */
    cr_expect_eq(x->n, 1);
    explorer_frame(x);
    explorer_mouse(x, MOUSE_CLICK, 34, 300);
    cr_expect_eq(x->n, 1);
    explorer_destroy(x);
}

Test(keys, the_mouse_picks_tabs_and_drags_the_divider)
{
    static const struct {
        int columns, row, column; /* of the divider, away from the tabs */
    } shapes[] = {{120, 22, 118}, {200, 20, 120}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct explorer *x = open_case(&fake_github, 1);
        explorer_resize(x, 36, shapes[i].columns);
        struct buf before = {0}, now = {0};
        int row = 0, column = 0;
        const struct cells *grid = explorer_frame(x);
        cells_text(grid, &before);
        for (int r = 0; r < grid->rows; r++) /* "3Label" is drawn once: find it */
            for (int c = 0; c + 5 < grid->columns; c++)
                if (grid->cell[r * grid->columns + c].text[0] == '3' &&
                    grid->cell[r * grid->columns + c + 1].text[0] == 'L')
                    row = r, column = c;
        cr_assert(row > 0);
        explorer_mouse(x, MOUSE_CLICK, row, column + 2);
        explorer_mouse(x, MOUSE_DROP, row, column + 2);
        cells_text(explorer_frame(x), &now);
        cr_expect(span_find(buf_span(&now), SPAN("context before")) < now.len, "the tab is open");
        bool beside = shapes[i].columns > 150;
        int line = beside ? 20 : row, at = beside ? shapes[i].column : shapes[i].column;
        explorer_mouse(x, MOUSE_CLICK, line, at);
        explorer_mouse(x, MOUSE_DROP, beside ? line : line + 4, beside ? at - 10 : at);
        grid = explorer_frame(x);
        int moved = 0;
        for (int r = 0; r < grid->rows; r++)
            for (int c = 0; c + 1 < grid->columns; c++)
                if (grid->cell[r * grid->columns + c].text[0] == '3' &&
                    grid->cell[r * grid->columns + c + 1].text[0] == 'L')
                    moved = beside ? column - c : r - row;
        cr_expect_eq(moved, beside ? 10 : 4, "the divider of %d columns moved by %d",
                     shapes[i].columns, moved);
        explorer_mouse(x, MOUSE_DROP, 5, 5); /* nothing was taken */
        buf_finish(&before);
        buf_finish(&now);
        explorer_destroy(x);
    }
}

Test(keys, leaving)
{
    struct explorer *x = open_case(&fake_github, 1);
    cr_assert(explorer_line(x, SPAN("Enter Tab ? q q")));
    cr_assert(explorer_line(x, SPAN("w q f q e q ? ?")));
    cr_assert_not(explorer_line(x, SPAN("q")));
    explorer_destroy(x);
    x = open_case(&fake_github, 1);
    cr_assert(explorer_line(x, SPAN("C-c")));
    cr_assert_not(explorer_line(x, SPAN("C-c")));
    explorer_destroy(x);
    x = open_case(&fake_github, 1);
    cr_assert_not(explorer_line(x, SPAN("w : q u i t Enter")));
    explorer_destroy(x);
}

Test(keys, place_and_filter_come_back)
{
    struct explorer *x = open_case(&fake_github, 1);
    explorer_line(x, SPAN("v V"));
    explorer_line(x, SPAN("&tool:create_"));
    explorer_destroy(x);
    struct explorer_options options = {.name = "a.strand", .rows = 36, .columns = 120};
    struct err err = {0};
    x = explorer_create(&options, &err);
    while (explorer_idle(x))
        ;
    cr_assert_eq(x->n, 12);
    cr_assert_eq(x->matches.count, 4);
    explorer_destroy(x);
}

Test(keys, a_person_sets_keys_and_colours)
{
    struct config config;
    struct err err = {0};
    config_init(&config);
    cr_assert(
        config_read(
            &config,
            SPAN(
                "# mine\n\nkey next-violation v ] w\ncolour untrusted 208 - bold italic\ncolor deny 1\n"),
            "file", &err),
        "%s", err.what);
    cr_expect_eq(keymap_action(&config.keys, KEY_OF(']')), ACTION_NEXT_VIOLATION);
    cr_expect_eq(keymap_action(&config.keys, KEY_OF('w')), ACTION_NEXT_VIOLATION);
    cr_expect_eq(keymap_action(&config.keys, KEY_OF(KEYS_F6)), ACTION_WHY,
                 "the other keys of why stay");
    cr_expect_eq(keymap_action(&config.keys, KEY_OF(KEYS_F3)), ACTION_NONE);
    cr_expect(config.styled[STYLE_UNTRUSTED] && config.style[STYLE_UNTRUSTED].fg == 208 &&
              config.style[STYLE_UNTRUSTED].bg == -1);
    cr_expect_eq(config.style[STYLE_UNTRUSTED].attributes, LOOK_BOLD | LOOK_ITALIC);
    cr_expect(config.styled[STYLE_DENY] && !config.styled[STYLE_ASK]);
    static const char *const bad[] = {"keys x y",       "key nothing x",   "key why x Wrong",
                                      "colour none 1",  "colour deny 256", "colour deny 1 2 3",
                                      "colour deny red"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct buf text = {0};
        buf_addf(&text, "# first\n%s\n", bad[i]);
        cr_expect_not(config_read(&config, buf_span(&text), "file", &err), "%s", bad[i]);
        cr_expect_str_eq(err.where, "file:2");
        buf_finish(&text);
    }
    cr_expect_eq(keymap_action(&config.keys, KEY_OF('x')), ACTION_EGRESS,
                 "a line that isn't understood takes no key away");
    config_finish(&config);
}

/* A pointer as RFC 6901 writes it; lines of a long text are of their member. */
Test(keys, values_have_a_path)
{
    static const struct {
        const char *holds, *path; /* NULL: none */
    } lines[] = {
        {"before", NULL},        {"first", "/a~1b/0"},         {"deep", "/a~1b/1/~0c"},
        {"second row", "/text"}, {"inner", "/string#/list/0"}, {"last", "/last"},
    };
    struct doc doc;
    doc_init(&doc);
    doc_line(&doc, 0);
    doc_ours(&doc, STYLE_PLAIN, "before");
    cr_assert(doc_json(
        &doc, 0,
        SPAN("{\"a/b\":[\"first\",{\"~c\":\"deep\"}],\"text\":\"one\\nsecond row\\nthree\","
             "\"string\":\"{\\\"list\\\":[\\\"inner\\\"]}\",\"last\":1}")));
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct buf path = {0};
        size_t line = 0;
        cr_assert(doc_find(&doc, span_of(lines[i].holds), 0, true, &line), "%s", lines[i].holds);
        cr_expect_eq(doc_line_path(&doc, line, &path), lines[i].path != NULL, "%s", lines[i].holds);
        cr_expect(span_is(buf_span(&path), lines[i].path ? lines[i].path : ""), "%s: %s",
                  lines[i].holds, buf_cstr(&path));
        buf_finish(&path);
    }
    doc_finish(&doc);
}

/* Any keys in any order, at changing sizes: nothing breaks. STRANDLINE_FUZZ_SECONDS for longer. */
Test(keys, random_ones)
{
    static const char letters[] = "jkgGvVupptT()/nN&*m'aywfesxdcLDUPiMS?:ZzWo%+-123456q \t";
    const struct fake_session all[] = {fake_github, fake_hostile, fake_quiet, fake_empty};
    const char *asked = getenv("STRANDLINE_FUZZ_SECONDS");
    time_t end = time(NULL) + (asked ? atoi(asked) : 3);
    unsigned seed = asked ? (unsigned)time(NULL) : 1;
    struct numbers numbers = {seed};
    while (time(NULL) < end) {
        struct explorer *x = open_case(all, numbers_below(&numbers, 4) + 1);
        for (int i = 0; i < 400; i++) {
            size_t what = numbers_below(&numbers, 40);
            struct key key =
                what < 28 ? KEY_OF(letters[numbers_below(&numbers, sizeof letters - 1)])
                : what < 36
                    ? KEY_OF(KEYS_UP + (unsigned)numbers_below(&numbers, KEYS_AFTER_ALL - KEYS_UP))
                    : KEY_OF(numbers_below(&numbers, 0x300) + 1);
            if (key.code == '\t')
                key.code = KEYS_TAB;
            if (!explorer_key(x, key)) {
                break;
            }
            if (what == 39)
                explorer_resize(x, (int)numbers_below(&numbers, 70),
                                (int)numbers_below(&numbers, 300));
            explorer_idle(x);
            if (numbers_below(&numbers, 3) == 0)
                explorer_frame(x);
        }
        explorer_frame(x);
        explorer_destroy(x);
    }
}

/* A hit of the search of all sessions is shown in a flow above the list: going back leads to it,
 * and the cursor is where it was. Of the screens below only those of the case outlive another
 * session. */
Test(keys, hits_stay_below_the_step)
{
    const struct fake_session all[] = {fake_github, fake_quiet};
    struct explorer *x = open_case(all, 2);
    explorer_line(x, SPAN("Enter x"));
    cr_expect_eq(explorer_top(x)->ops, &view_egress);
    explorer_line(x, SPAN("\\ a Enter"));
    while (explorer_idle(x))
        ;
    explorer_frame(x);
    cr_assert_eq(explorer_top(x)->ops, &view_search);
    const struct session_view *before = x->session;
    explorer_line(x, SPAN("j Enter"));
    cr_expect_eq(explorer_top(x)->ops, &view_flow);
    cr_expect(x->session == before && x->n > 0);
    int64_t first = x->n;
    explorer_line(x, SPAN("Esc"));
    cr_assert_eq(explorer_top(x)->ops, &view_search);
    explorer_line(x, SPAN("j Enter"));
    cr_expect(x->n > first, "the cursor stood on the hit: %lld", (long long)x->n);
    explorer_line(x, SPAN("Esc G Enter"));
    cr_assert_neq(x->session, before, "the last hit is of the other session");
    cr_expect_eq(explorer_top(x)->ops, &view_flow);
    explorer_line(x, SPAN("Esc"));
    cr_assert_eq(explorer_top(x)->ops, &view_search);
    explorer_line(x, SPAN("Esc"));
    cr_expect_neq(explorer_top(x)->ops, &view_egress, "that was of the session before");
    explorer_destroy(x);
}

/* What a terminal reports of its mouse, behind ESC [ <. */
Test(keys, mouse_reports)
{
    static const struct {
        const char *text;
        enum mouse_part last;
        struct screen_mouse at;
    } reports[] = {
        {"0;1;1M", MOUSE_WHOLE, {0, 0, 0, false}},
        {"0;120;36m", MOUSE_WHOLE, {35, 119, 0, true}},
        {"64;3;4M", MOUSE_WHOLE, {3, 2, -1, false}},
        {"65;3;4M", MOUSE_WHOLE, {3, 2, 1, false}},
        {"69;3;4M", MOUSE_WHOLE, {3, 2, 1, false}}, /* shift is held */
        {"64;3;4m", MOUSE_NOTHING, {0, 0, 0, false}},
        {"2;3;4M", MOUSE_NOTHING, {0, 0, 0, false}}, /* the right button */
        {"0;3M", MOUSE_NOTHING, {0, 0, 0, false}},
        {"M", MOUSE_NOTHING, {0, 0, 0, false}},
        {"0;3;4;", MOUSE_NOT, {0, 0, 0, false}},
        {"0;3;q", MOUSE_NOT, {0, 0, 0, false}},
        {"000000000000000000000", MOUSE_NOT, {0, 0, 0, false}},
        {"0;999999999999999999;", MOUSE_NOT, {0, 0, 0, false}},
        {"0;3;4", MOUSE_MORE, {0, 0, 0, false}},
    };
    for (size_t i = 0; i < COUNT_OF(reports); i++) {
        struct mouse_report report;
        struct screen_mouse at = {0};
        enum mouse_part part = MOUSE_MORE;
        const char *c = reports[i].text;
        mouse_begin(&report);
        for (; *c && part == MOUSE_MORE; c++)
            part = mouse_take(&report, (unsigned char)*c, &at);
        cr_expect(!*c && part == reports[i].last, "%s: %d at '%s'", reports[i].text, (int)part, c);
        cr_expect_eq(report.open, part == MOUSE_MORE);
        cr_expect(at.row == reports[i].at.row && at.column == reports[i].at.column &&
                      at.wheel == reports[i].at.wheel && at.dropped == reports[i].at.dropped,
                  "%s: %d %d %d", reports[i].text, at.row, at.column, at.wheel);
    }
}
