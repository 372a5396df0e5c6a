/*
 * How fast JSON is read: the strict reader three ways, against json-c on the same bytes in the same
 * run. Prints a table; judges nothing, since machines differ. See README.md beside it.
 *
 *     bench_json [FILE...]      documents of our own making, or each line of the files
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "base/jsonr.h"
#include "base/mem.h"

enum { WANTED_BYTES = 16 << 20, ROUNDS = 5 };

/* ---- documents, one a line ---- */

static void add_word(struct buf *out, size_t number)
{
    static const char *const words[] = {
        "the ",  "context ", "of ",  "a ",     "session ", "rises ", "when ",    "results ",
        "come ", "in, ",     "and ", "never ", "falls. ",  "issue ", "comment ", "branch "};
    buf_puts(out, words[number * 2654435761u % 4294967296u >> 28]);
}

static void add_head(struct buf *out, size_t number)
{
    buf_addf(out,
             "{\"timestamp\":\"2026-05-26T09:12:%02zu.120Z\",\"dir\":\"server->client\",\"server\":"
             "\"github\","
             "\"raw\":{\"jsonrpc\":\"2.0\",\"id\":%zu,\"result\":{\"content\":[{\"type\":\"text\","
             "\"text\":\"",
             number % 60, number);
}

static void add_tail(struct buf *out)
{
    buf_puts(out, "\"}],\"isError\":false}}}\n");
}

/* Results as tools give them: some kilobytes of text, now and then a newline. */
static void long_strings(struct buf *out, size_t number)
{
    add_head(out, number);
    for (size_t i = 0; i < 800; i++) {
        add_word(out, number * 31 + i);
        if (i % 14 == 13)
            buf_puts(out, "\\n");
    }
    add_tail(out);
}

/* JSON inside a JSON string: an escape every few bytes. */
static void json_in_json(struct buf *out, size_t number)
{
    add_head(out, number);
    for (size_t i = 0; i < 60; i++)
        buf_addf(out,
                 "{\\\"number\\\": %zu, \\\"title\\\": \\\"About the author\\\", \\\"state\\\": "
                 "\\\"open\\\"}, ",
                 i);
    add_tail(out);
}

static void other_scripts(struct buf *out, size_t number)
{
    add_head(out, number);
    for (size_t i = 0; i < 100; i++)
        buf_puts(out, i % 3 ? "会话的上下文从不下降。" : "Контекст только растёт. ");
    add_tail(out);
}

/* Many small values. */
static void small_values(struct buf *out, size_t number)
{
    buf_addf(out, "{\"step\":%zu,\"rows\":[", number);
    for (size_t i = 0; i < 40; i++)
        buf_addf(out, "%s{\"id\":%zu,\"x\":%zu.%zu,\"ok\":true,\"tag\":\"t%zu\",\"next\":null}",
                 i ? "," : "", i, i * 7, number % 1000, i % 9);
    buf_puts(out, "]}\n");
}

static void indented(struct buf *out, size_t number)
{
    buf_puts(out, "{   \"rows\" : [");
    for (size_t i = 0; i < 40; i++)
        buf_addf(out,
                 "%s                {\r                        \"id\" : %zu,\r                     "
                 "   \"step\" : %zu\r"
                 "                }",
                 i ? ",\r" : "\r", i, number);
    buf_puts(out, "\r        ]\r}\n");
}

/* ---- ways to read ---- */

static size_t failures;
static size_t tokens; /* so that no loop is for nothing */

static void read_valid(struct span line)
{
    failures += !jsonr_valid(line, NULL, NULL);
}

static void read_tokens(struct span line)
{
    struct jsonr r;
    jsonr_init(&r, line);
    while (jsonr_next(&r) > JSONR_END)
        tokens++;
    failures += r.token != JSONR_END;
}

static void read_items(struct span line)
{
    struct jsonr_items items;
    for (jsonr_items_init(&items, line); jsonr_items_next(&items);)
        tokens += items.value.len;
}

static struct json_tokener *tokener;

static void read_json_c(struct span line)
{
    json_tokener_reset(tokener);
    struct json_object *object = json_tokener_parse_ex(tokener, line.at, (int)line.len);
    failures += !object;
    json_object_put(object);
}

typedef void read_function(struct span line);

/* Bytes a second in the best of some rounds. */
static double speed(struct span text, read_function *read)
{
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (struct span rest = text; rest.len;) {
            struct span line = span_sub(rest, 0, span_find_byte(rest, '\n'));
            rest = span_sub(rest, line.len + 1, rest.len);
            if (line.len)
                read(line);
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds =
            (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
        if ((double)text.len / seconds > best)
            best = (double)text.len / seconds;
    }
    return best;
}

static void measure(const char *name, struct span text)
{
    double valid = speed(text, read_valid), token = speed(text, read_tokens),
           items = speed(text, read_items);
    double json_c = speed(text, read_json_c);
    printf("%-24.24s %9.0f %9.0f %9.0f %9.0f %8.1fx\n", name, valid / 1e6, token / 1e6, items / 1e6,
           json_c / 1e6, valid / json_c);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*add)(struct buf *out, size_t number);
    } documents[] = {
        {"long strings", long_strings},   {"JSON in JSON", json_in_json},
        {"other scripts", other_scripts}, {"small values", small_values},
        {"indented", indented},
    };
    struct buf text = {0};
    tokener = json_tokener_new_ex(1000);
    printf("%-24s %9s %9s %9s %9s %9s\n", "MB/s", "valid", "tokens", "items", "json-c", "ratio");
    for (size_t i = 0; count < 2 && i < COUNT_OF(documents); i++) {
        buf_clear(&text);
        for (size_t number = 0; text.len < WANTED_BYTES; number++)
            documents[i].add(&text, number);
        measure(documents[i].name, buf_span(&text));
    }
    for (int i = 1; i < count; i++) {
        buf_clear(&text);
        if (file_bytes(arguments[i], SIZE_MAX, &text) == 0)
            measure(arguments[i], buf_span(&text));
        else
            fprintf(stderr, "bench_json: %s: can't be read\n", arguments[i]);
    }
    if (failures)
        printf("%zu lines were rejected by one or the other\n", failures);
    json_tokener_free(tokener);
    buf_finish(&text);
    return tokens == 0;
}
