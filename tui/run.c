/* The loop: a key, an action, a frame. With a terminal, as plain text, or from a script. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/monotonic.h"
#include "tui/core.h"
#include "tui/screen.h"
#include "tui/spoken.h"

enum {
    REFRESH_MS = 60, /* how often progress is shown while nobody types: each costs bytes */
    HURRY_MS = 50,   /* a held key repeats faster than that, a finger seldom does */
};

struct loop {
    struct explorer *explorer;
    struct screen *screen;
    bool answer;          /* something happened that a frame has to show at once */
    bool hurried;         /* the last key came right after another, or moved the cursor by a row */
    int64_t shown, typed; /* milliseconds: the last frame, the last key */
};

static void show(struct loop *loop)
{
    int64_t now = monotonic_ms();
    loop->hurried = loop->hurried && now - loop->typed < HURRY_MS;
    explorer_hurry(loop->explorer, loop->hurried);
    screen_put(loop->screen, explorer_frame(loop->explorer));
    loop->shown = now;
    loop->answer = false;
}

static bool is_due(const struct loop *loop)
{
    return loop->answer || monotonic_ms() - loop->shown >= REFRESH_MS;
}

static void on_redraw(void *arg)
{
    struct loop *loop = arg;
    screen_redraw(loop->screen);
}

static void resized(struct loop *loop)
{
    int rows, columns;
    screen_size(loop->screen, &rows, &columns);
    explorer_resize(loop->explorer, rows, columns);
}

static void on_suspend(void *arg)
{
    struct loop *loop = arg;
    screen_suspend(loop->screen);
    resized(loop);
}

static bool on_copy(void *arg, struct span text)
{
    struct loop *loop = arg;
    return screen_copy(loop->screen, text);
}

static void on_show(void *arg)
{
    struct loop *loop = arg;
    if (is_due(loop))
        show(loop);
}

static bool on_mouse(void *arg)
{
    struct loop *loop = arg;
    return screen_mouse_toggle(loop->screen);
}

static void mouse_moved(struct loop *loop)
{
    struct screen_mouse at = screen_mouse_at(loop->screen);
    explorer_mouse(loop->explorer,
                   at.dropped     ? MOUSE_DROP
                   : at.wheel < 0 ? MOUSE_WHEEL_UP
                   : at.wheel > 0 ? MOUSE_WHEEL_DOWN
                                  : MOUSE_CLICK,
                   at.row, at.column);
}

static bool on_has_key(void *arg)
{
    struct loop *loop = arg;
    return screen_has_key(loop->screen);
}

static void note_typing(struct loop *loop)
{
    int64_t now = monotonic_ms();
    loop->hurried = now - loop->typed < HURRY_MS;
    loop->typed = now;
}

/* Takes keys until none is waiting, so that a held key never queues up frames. */
static bool take_keys(struct loop *loop, int timeout)
{
    struct key key;
    for (;;) {
        enum screen_event event = screen_wait(loop->screen, timeout, &key);
        loop->answer |= event != SCREEN_NOTHING;
        switch (event) {
        case SCREEN_KEY:
            note_typing(loop);
            if (!explorer_key(loop->explorer, key))
                return false;
            loop->hurried |= loop->explorer->stepped;
            break;
        case SCREEN_MOUSE:
            mouse_moved(loop);
            break;
        case SCREEN_RESIZED:
            resized(loop);
            break;
        case SCREEN_SUSPEND:
            on_suspend(loop);
            break;
        case SCREEN_STOP:
            return false;
        case SCREEN_NOTHING:
            return true;
        }
        timeout = 0;
    }
}

/* The person's settings; what is wrong with them is said on the bottom line. */
static void settle_in(struct explorer *x)
{
    struct err err = {0};
    if (!config_load(&x->config, &err))
        explorer_fail(x, &err);
}

/* ---- scripts and plain text ---- */

static void print_frame(struct explorer *x)
{
    struct buf text = {0};
    explorer_frame(x); /* some slow work begins when a screen has been seen */
    while (explorer_idle(x))
        ;
    const struct cells *frame = explorer_frame(x);
    if (x->options.plain && !frame->ascii) {
        cells_spoken(frame, &text);
        buf_byte(&text, '\n'); /* an empty line ends a screen */
    } else {
        cells_text(frame, &text);
    }
    fwrite(text.at, 1, text.len, stdout);
    fflush(stdout);
    buf_finish(&text);
}

/* What did not work in a script is an error with its place, as the first of them. A filter that
 * stays open to be corrected would swallow the lines behind it. */
static void judge_line(struct explorer *x, struct span line, const char *path, int number,
                       struct err *err)
{
    bool prompted = line.len > 1 && ascii_is_one_of(line.at[0], ":/&");
    bool open = prompted && x->prompt.kind != PROMPT_NONE;
    struct span said = open                              ? span_of(x->matches.problem)
                       : x->message_style == STYLE_ERROR ? buf_span(&x->message)
                                                         : SPAN_EMPTY;
    if (line.len && said.len && !err->kind) {
        char place[ERR_TEXT];
        snprintf(place, sizeof place, "%.400s:%d", path, number);
        err_set(err, ERR_USAGE, place, NULL, "%.*s", SPAN_ARG(said));
    }
    if (open)
        explorer_key(x, KEY_OF(KEYS_ESCAPE));
}

/* Plays lines; `print` shows the screen after each. False once a line has left the explorer. `path`
 * is that of a script, NULL where a person types. */
static bool play(struct explorer *x, FILE *lines, const char *path, bool print, struct err *err)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool on = true;
    for (int number = 1; on && (length = getline(&line, &room, lines)) >= 0; number++) {
        struct span text = span_trim((struct span){line, (size_t)length});
        if (text.len && text.at[0] == '#') /* a remark */
            continue;
        on = explorer_line(x, text);
        while (explorer_idle(x))
            ;
        if (print && on)
            print_frame(x);
        if (path)
            judge_line(x, text, path, number, err);
    }
    free(line);
    return on;
}

static bool script_unread(const char *path, struct err *err)
{
    return err_set(err, ERR_INPUT, path, "name a file of keys and commands",
                   "the script can't be read");
}

/* False where it can't be read, or a line of it did not work. */
static bool play_script(struct explorer *x, const char *path, bool print, bool *on, struct err *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return script_unread(path, err);
    *on = play(x, file, path, print, err);
    if (ferror(file)) /* a folder */
        script_unread(path, err);
    fclose(file);
    return !err->kind;
}

static int size_from(const char *name, int otherwise)
{
    const char *text = getenv(name);
    unsigned long long value = 0;
    bool is_size = text && span_to_u64(span_of(text), &value) && value > 0 && value < 1000;
    return is_size ? (int)value : otherwise;
}

static int run_plain(const struct explorer_options *options)
{
    struct explorer_options own = *options;
    struct err err = {0};
    bool on = true;
    own.rows = own.rows ? own.rows : size_from("LINES", 36);
    own.columns = own.columns ? own.columns : size_from("COLUMNS", 120);
    struct explorer *x = explorer_create(&own, &err);
    if (x) {
        settle_in(x);
        print_frame(x);
        if (own.script)
            play_script(x, own.script, true, &on, &err);
        if (on && !err.kind && !own.script)
            play(x, stdin, NULL, true, &err);
        explorer_destroy(x);
    }
    if (err.kind)
        err_print(&err);
    return (int)err.kind;
}

/* ---- the terminal ---- */

static void loop_run(struct loop *loop)
{
    bool busy = true;
    loop->answer = true;
    do {
        if (is_due(loop))
            show(loop);
        busy = explorer_idle(loop->explorer);
        if (!busy) { /* the last slice may have changed something */
            bool hurried = loop->hurried;
            show(loop);
            busy = hurried && !loop->hurried; /* what has waited for the keys to pause */
        }
    } while (take_keys(loop, busy            ? 0
                             : loop->hurried ? HURRY_MS
                                             : explorer_patience(loop->explorer)));
}

int explorer_run(const struct explorer_options *options)
{
    if (options->plain || (options->script && !isatty(STDOUT_FILENO)))
        return run_plain(options);
    struct explorer_options own = *options;
    struct err err = {0};
    struct loop loop = {0};
    bool on = true;
    loop.screen = screen_open(own.colours, own.ground, own.ascii, &err);
    if (loop.screen) {
        own.ascii = screen_is_ascii(loop.screen);
        screen_size(loop.screen, &own.rows, &own.columns);
        loop.explorer = explorer_create(&own, &err);
    }
    if (loop.explorer) {
        struct explorer *x = loop.explorer;
        settle_in(x);
        screen_restyle(loop.screen, &x->config);
        x->terminal = &loop;
        x->redraw = on_redraw;
        x->suspend = on_suspend;
        x->copy = on_copy;
        x->mouse = on_mouse;
        x->show = on_show;
        x->has_key = on_has_key;
        if (own.script && !play_script(x, own.script, false, &on, &err) && on &&
            err.kind == ERR_USAGE) { /* the person sees it, and how far the script came */
            explorer_fail(x, &err);
            err = (struct err){0};
        }
        if (on && !err.kind)
            loop_run(&loop);
        explorer_destroy(x);
    }
    screen_close(loop.screen);
    int number = screen_stop_signal();
    if (number) { /* the way a shell expects it: ended by that signal */
        signal(number, SIG_DFL);
        raise(number);
    }
    if (err.kind)
        err_print(&err);
    return (int)err.kind;
}
