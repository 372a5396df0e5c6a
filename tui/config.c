#include "tui/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

enum { FILE_MOST = 64 * 1024 };

void config_init(struct config *config)
{
    *config = (struct config){0};
    arena_init(&config->arena);
    keymap_init(&config->keys);
}

void config_finish(struct config *config)
{
    arena_finish(&config->arena);
}

/* Takes the next word off the front of a line. */
static struct span take_word(struct span *rest)
{
    *rest = span_trim(*rest);
    size_t end = 0;
    while (end < rest->len && rest->at[end] != ' ' && rest->at[end] != '\t')
        end++;
    struct span word = span_sub(*rest, 0, end);
    *rest = span_sub(*rest, end, rest->len);
    return word;
}

/* What is wrong with a line. */
struct config_problem {
    const char *advice;
    struct span word; /* that is not understood */
};

static bool set_key(struct config *config, struct span rest, struct config_problem *problem)
{
    problem->word = take_word(&rest);
    problem->advice = "name an action as the help (?) does";
    enum action action = action_of_name(problem->word);
    if (action == ACTION_NONE)
        return false;
    problem->advice = "write keys as the help does: v, C-l, F3, PgDn";
    struct span keys = span_trim(rest), words = keys, word;
    struct key key;
    while ((word = problem->word = take_word(&words)).len)
        if (!key_parse(word, &key)) /* before any of them is taken from its action */
            return false;
    words = keys;
    while ((word = take_word(&words)).len && key_parse(word, &key))
        keymap_release(&config->keys, key, &config->arena);
    config->keys.of[action] = arena_cstr(&config->arena, keys);
    return true;
}

static bool colour_of(struct span word, int *colour)
{
    unsigned long long value = 0;
    bool none = span_is(word, "-");
    if (!none && (!span_to_u64(word, &value) || value > 255))
        return false;
    *colour = none ? -1 : (int)value;
    return true;
}

static bool set_colour(struct config *config, struct span rest, struct config_problem *problem)
{
    static const struct {
        const char *word;
        unsigned attribute;
    } attributes[] = {{"bold", LOOK_BOLD},
                      {"dim", LOOK_DIM},
                      {"underline", LOOK_UNDERLINE},
                      {"reverse", LOOK_REVERSE},
                      {"italic", LOOK_ITALIC}};
    struct span name = take_word(&rest), word;
    struct look look = {-1, -1, 0};
    int style = 0, numbers = 0;
    problem->word = name;
    problem->advice = "name a style: plain, untrusted, private, deny, ask, …";
    while (style < STYLE_COUNT && !span_is(name, style_name((enum style)style)))
        style++;
    if (style == STYLE_COUNT)
        return false;
    problem->advice =
        "give numbers from 0 to 255 (or -) for text and ground, then bold, dim, underline, reverse, italic";
    while ((word = problem->word = take_word(&rest)).len) {
        bool known = numbers < 2 && colour_of(word, numbers ? &look.bg : &look.fg);
        numbers += known;
        for (size_t i = 0; !known && i < COUNT_OF(attributes); i++) {
            known = span_is(word, attributes[i].word);
            look.attributes |= known ? attributes[i].attribute : 0;
        }
        if (!known)
            return false;
    }
    config->styled[style] = true;
    config->style[style] = look;
    return true;
}

static bool set_line(struct config *config, struct span line, struct config_problem *problem)
{
    struct span word = take_word(&line);
    if (!word.len || word.at[0] == '#')
        return true;
    if (span_is(word, "key"))
        return set_key(config, line, problem);
    if (span_is(word, "colour") || span_is(word, "color"))
        return set_colour(config, line, problem);
    *problem = (struct config_problem){"begin a line with key, colour or #", word};
    return false;
}

bool config_read(struct config *config, struct span text, const char *where, struct err *err)
{
    bool good = true;
    for (int number = 1; text.len; number++) {
        size_t end = span_find_byte(text, '\n');
        struct span line = span_trim(span_sub(text, 0, end));
        struct config_problem problem = {0};
        text = span_sub(text, end + 1, text.len);
        if (set_line(config, line, &problem) || !good)
            continue;
        char place[ERR_TEXT];
        snprintf(place, sizeof place, "%.400s:%d", where, number);
        good = err_set(err, ERR_USAGE, place, problem.advice, "not understood: %.*s",
                       SPAN_ARG(span_sub(problem.word, 0, 60)));
    }
    return good;
}

bool config_load(struct config *config, struct err *err)
{
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char path[4096];
    int length =
        base && base[0] == '/'
            ? snprintf(path, sizeof path, "%s/strandline/explorer.conf", base)
            : snprintf(path, sizeof path, "%s/.config/strandline/explorer.conf", home ? home : "");
    if (length < 0 || (size_t)length >= sizeof path)
        return true;
    struct buf text = {0};
    int why = file_bytes(path, FILE_MOST, &text);
    bool good = true; /* where there is none, nothing is set */
    if (!why)
        good = config_read(config, buf_span(&text), path, err);
    else if (why != ENOENT && why != ENOTDIR)
        good = err_set(err, ERR_INPUT, path, "make it a text file of some lines that you may read",
                       "the settings can't be read");
    buf_finish(&text);
    return good;
}
