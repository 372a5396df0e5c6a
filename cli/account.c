#include "cli/account.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/json.h"
#include "cli/render.h"
#include "cli/table.h"
#include "ingest/reader.h"
#include "model/query/account.h"

enum { DIAGNOSTICS_SHOWN = 10, DIAGNOSTICS_IN_JSON = 100000 };

static bool path_ends_in(struct span path, struct span word)
{
    return span_ends_with(path, word) &&
           (path.len == word.len || path.at[path.len - word.len - 1] == '/');
}

int64_t account_find_source(struct case_file *c, struct span word, struct err *err)
{
    struct arena arena = {0};
    struct source_view *sources;
    size_t count, hits = 0;
    int64_t found = 0;
    unsigned long long number = 0;
    bool numbered = span_to_u64(word, &number);
    if (query_sources(c, &arena, &sources, &count, err)) {
        for (size_t i = 0; i < count; i++)
            if (numbered ? sources[i].id == (int64_t)number : path_ends_in(sources[i].path, word)) {
                found = sources[i].id;
                hits++;
            }
        if (hits == 0)
            err_set(err, ERR_USAGE, "--source", "'strandline show CASE --account' lists them",
                    "no source is called '%.*s'", SPAN_ARG(word));
        else if (hits > 1)
            err_set(err, ERR_USAGE, "--source", "give its number or more of its path",
                    "%zu sources are called '%.*s'", hits, SPAN_ARG(word));
    }
    arena_finish(&arena);
    return hits == 1 ? found : 0;
}

const char *const *account_cannot_show(struct span format)
{
    static const char *const nothing[] = {NULL};
    const struct reader *reader = format.at ? reader_find(format) : NULL;
    return reader && reader->cannot_show ? reader->cannot_show : nothing;
}

static void add_limit(struct limits *limits, const char *line)
{
    for (size_t i = 0; i < limits->count; i++)
        if (strcmp(limits->lines[i], line) == 0)
            return;
    if (limits->count < COUNT_OF(limits->lines))
        limits->lines[limits->count++] = line;
}

void account_add_limits(struct limits *limits, struct span format)
{
    for (const char *const *line = account_cannot_show(format); *line; line++)
        if (limits->count + 1 < COUNT_OF(limits->lines))
            add_limit(limits, *line);
}

void account_end_limits(struct limits *limits)
{
    add_limit(limits,
              "what a server did behind its own door, and what came after the record's end");
}

void account_json(struct json *j, const struct source_view *v)
{
    json_object(j, "accounted");
    json_int(j, "event", v->event);
    json_int(j, "noise", v->noise);
    json_int(j, "diagnostic", v->diagnostic);
    json_int(j, "blank", v->blank);
    json_end(j);
}

static bool json_source(struct json *j, struct case_file *c, const struct source_view *v,
                        struct arena *arena, struct err *err)
{
    struct diagnostic_view *diagnostics;
    size_t count;
    if (!query_diagnostics(c, v->id, 0, DIAGNOSTICS_IN_JSON, arena, &diagnostics, &count, err))
        return false;
    json_object(j, NULL);
    json_string(j, "file", v->path);
    json_string(j, "sha256", v->sha256);
    json_string(j, "format", v->format);
    json_int_or_null(j, "confidence", v->confidence, v->format.at != NULL);
    json_string(j, "reason", v->reason);
    json_bool(j, "complete", v->complete);
    json_int(j, "bytes", v->bytes);
    json_int(j, "lines", v->lines);
    account_json(j, v);
    json_object(j, "noise");
    for (size_t i = 0; i < v->noise_count; i++)
        json_int(j, arena_cstr(arena, v->noises[i].kind), v->noises[i].units);
    json_end(j);
    json_array(j, "diagnostics");
    for (size_t i = 0; i < count; i++) {
        json_object(j, NULL);
        json_int(j, "line", diagnostics[i].line);
        json_int(j, "offset", diagnostics[i].offset);
        json_int(j, "length", diagnostics[i].length);
        json_string(j, "code", diagnostics[i].code);
        json_string(j, "what", diagnostics[i].what);
        json_end(j);
    }
    json_end(j);
    json_array(j, "cannot_show");
    for (const char *const *line = account_cannot_show(v->format); *line; line++)
        json_word(j, NULL, *line);
    json_end(j);
    json_end(j);
    return true;
}

static void print_safe(const char *before, struct span data, const char *after)
{
    struct buf safe = {0};
    text_safe(&safe, data);
    printf("%s%.*s%s", before, SPAN_ARG(buf_span(&safe)), after);
    buf_finish(&safe);
}

static bool text_source(struct case_file *c, const struct source_view *v, struct arena *arena,
                        struct err *err)
{
    struct diagnostic_view *diagnostics;
    size_t count;
    if (!query_diagnostics(c, v->id, 0, DIAGNOSTICS_SHOWN, arena, &diagnostics, &count, err))
        return false;
    printf("source %lld  ", (long long)v->id);
    print_safe("", v->path, v->complete ? "\n" : "  (reading was interrupted)\n");
    print_safe("  sha256   ", v->sha256.at ? v->sha256 : SPAN("not known"), "\n");
    if (v->format.at) {
        print_safe("  format   ", v->format, "");
        printf("  %lld %%  ", (long long)v->confidence);
        print_safe("(", v->reason, ")\n");
    }
    printf(
        "  bytes    %lld in %lld lines = %lld event + %lld noise + %lld diagnostic + %lld blank\n",
        (long long)v->bytes, (long long)v->lines, (long long)v->event, (long long)v->noise,
        (long long)v->diagnostic, (long long)v->blank);
    for (size_t i = 0; i < v->noise_count; i++) {
        print_safe("  noise    ", v->noises[i].kind, "");
        printf("  %lld units, %lld bytes\n", (long long)v->noises[i].units,
               (long long)v->noises[i].bytes);
    }
    for (size_t i = 0; i < count; i++) {
        print_safe("  diagnostic  ", v->path, ":");
        printf("%lld: byte %lld: ", (long long)diagnostics[i].line,
               (long long)diagnostics[i].offset);
        print_safe("", diagnostics[i].what, "\n");
    }
    if (v->diagnostic_count > (int64_t)count)
        printf("  … and %lld more; --json lists them\n",
               (long long)v->diagnostic_count - (long long)count);
    for (const char *const *line = account_cannot_show(v->format); *line; line++)
        printf("  cannot show  %s\n", *line);
    return true;
}

bool account_print(struct case_file *c, const struct output *output, struct err *err)
{
    struct arena arena = {0};
    struct source_view *sources;
    size_t count;
    bool ok = query_sources(c, &arena, &sources, &count, err);
    struct json j;
    json_init(&j, stdout, true);
    if (ok && output->json) {
        json_object(&j, NULL);
        render_head(&j, "account", NULL);
        json_array(&j, "sources");
    }
    for (size_t i = 0; ok && i < count; i++)
        ok = output->json ? json_source(&j, c, &sources[i], &arena, err)
                          : text_source(c, &sources[i], &arena, err);
    if (ok && output->json) {
        json_finish(&j);
    } else {
        json_close(&j);
    }
    arena_finish(&arena);
    return ok;
}

bool account_line(struct case_file *c, struct buf *out, struct err *err)
{
    struct arena arena = {0};
    struct source_view *sources, sum = {0};
    size_t count, logs = 0;
    bool ok = query_sources(c, &arena, &sources, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        if (!sources[i].format.at)
            continue;
        logs++;
        sum.bytes += sources[i].bytes;
        sum.event += sources[i].event;
        sum.noise += sources[i].noise;
        sum.diagnostic += sources[i].diagnostic;
        sum.blank += sources[i].blank;
        sum.diagnostic_count += sources[i].diagnostic_count;
    }
    if (ok)
        buf_addf(out,
                 "%zu %s, %lld bytes = %lld event + %lld noise + %lld diagnostic + %lld blank; "
                 "%lld %s",
                 logs, logs == 1 ? "source" : "sources", (long long)sum.bytes, (long long)sum.event,
                 (long long)sum.noise, (long long)sum.diagnostic, (long long)sum.blank,
                 (long long)sum.diagnostic_count,
                 sum.diagnostic_count == 1 ? "diagnostic" : "diagnostics");
    arena_finish(&arena);
    return ok;
}
