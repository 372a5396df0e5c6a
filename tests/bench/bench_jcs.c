/*
 * Canonicalization and SHA-256 of a gigabyte of records, beside json-c's parse
 * of the same text, in one run. Megabytes a second; judges nothing.
 *
 * The gigabyte is what a session brings: of 20 records, 12 labels or decisions,
 * 5 results that are a text, 2 that are a list of things, and a table of numbers.
 * Each of these alone, a tenth as much, shows the extremes.
 *
 *     bench_jcs [MEGABYTES]
 */
#include <json.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "model/evidence/digest.h"
#include "model/evidence/jcs.h"

enum { BLOCK_RECORDS = 5000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Labels and decisions, as evidence mostly is: short, names out of order. */
static void make_label(struct buf *text, int i)
{
    buf_addf(
        text,
        "{\"resource_kind\": \"issue\", \"class\": \"confidential\", \"origin\": \"open_world\", "
        "\"container_visibility\": \"public\", \"regulatory\": [\"hipaa\", \"gdpr\"], \"id\": %d}",
        i);
}

/* A list of things, as tools answer it: many names, numbers and short texts. */
static void make_list(struct buf *text, int i)
{
    buf_puts(text, "{\"total_count\": 20, \"items\": [");
    for (int k = 0; k < 20; k++)
        buf_addf(
            text,
            "%s{\"number\": %d, \"title\": \"The page can't be found\", \"state\": \"open\", "
            "\"score\": %d.%d, \"user\": {\"login\": \"user%d\", \"id\": %d, \"admin\": false}, "
            "\"labels\": [\"bug\", \"caf\xc3\xa9\"], \"created_at\": \"2026-05-%02dT12:00:00Z\", "
            "\"closed_at\": null}",
            k ? ", " : "", i + k, k, i % 7, i % 1000, i * 7, 1 + i % 28);
    buf_puts(text, "]}");
}

/* Mostly one long text with line ends. */
static void make_text(struct buf *text, int i)
{
    buf_addf(text, "{\"type\": \"text\", \"id\": %d, \"body\": \"", i);
    for (int k = 0; k < 20 + i % 40; k++)
        buf_puts(text, "The issue was opened by a reader who could not find the page.\\n");
    buf_addf(text, "\", \"author\": \"user%d\"}", i % 1000);
}

/* Measurements: few names, and numbers of all lengths. */
static void make_table(struct buf *text, int i)
{
    uint32_t noise = (uint32_t)i;
    buf_addf(text, "{\"series\": \"load.%d\", \"points\": [", i % 10);
    for (int k = 0; k < 60; k++) {
        noise = noise * 1664525 + 1013904223;
        buf_addf(text, "%s[%d, %.*g]", k ? ", " : "", 1780000000 + 60 * k, 3 + k % 15,
                 (double)noise / 4294967.296);
    }
    buf_puts(text, "]}");
}

static void make_any(struct buf *text, int i)
{
    static void (*const order[])(struct buf * text, int i) = {
        make_label, make_text,  make_label, make_label, make_list,  make_label, make_text,
        make_label, make_label, make_text,  make_label, make_table, make_label, make_text,
        make_label, make_label, make_list,  make_label, make_text,  make_label,
    };
    order[(size_t)i % COUNT_OF(order)](text, i);
}

static const struct {
    const char *name;
    void (*make)(struct buf *text, int i);
    size_t share; /* of the megabytes: one in so many */
} shapes[] = {
    {"labels", make_label, 10},    {"lists", make_list, 10}, {"tables", make_table, 10},
    {"long texts", make_text, 10}, {"mixed", make_any, 1},
};

static double canonicalize_all(const struct buf *text, const size_t *ends, size_t rounds)
{
    struct jcs *jcs = jcs_create();
    struct hasher *hasher = hasher_create();
    struct buf out = {0};
    double begin = now();
    for (size_t round = 0; round < rounds; round++) {
        size_t at = 0;
        for (size_t i = 0; i < BLOCK_RECORDS; at = ends[i++]) {
            struct jcs_report report;
            struct digest digest;
            buf_clear(&out);
            if (!jcs_canonicalize(jcs, (struct span){text->at + at, ends[i] - at}, &out, &report))
                abort();
            hasher_digest(hasher, DIGEST_SHA256, buf_span(&out), &digest, NULL);
        }
    }
    double seconds = now() - begin;
    buf_finish(&out);
    hasher_destroy(hasher);
    jcs_destroy(jcs);
    return seconds;
}

static double parse_all(const struct buf *text, const size_t *ends, size_t rounds)
{
    struct json_tokener *tokener = json_tokener_new();
    double begin = now();
    for (size_t round = 0; round < rounds; round++) {
        size_t at = 0;
        for (size_t i = 0; i < BLOCK_RECORDS; at = ends[i++]) {
            json_tokener_reset(tokener);
            struct json_object *parsed =
                json_tokener_parse_ex(tokener, text->at + at, (int)(ends[i] - at));
            if (!parsed)
                abort();
            json_object_put(parsed);
        }
    }
    double seconds = now() - begin;
    json_tokener_free(tokener);
    return seconds;
}

int main(int argc, char **argv)
{
    static size_t ends[BLOCK_RECORDS];
    size_t megabytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    printf("MB/s             bytes each  jcs+sha256  json-c parse    ratio\n");
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        struct buf text = {0};
        for (int i = 0; i < BLOCK_RECORDS; i++) {
            shapes[s].make(&text, i);
            ends[i] = text.len;
        }
        size_t rounds = megabytes * 1000000 / shapes[s].share / text.len + 1;
        double size = (double)text.len * (double)rounds / 1e6;
        double ours = size / canonicalize_all(&text, ends, rounds);
        double theirs = size / parse_all(&text, ends, rounds);
        printf("%-16s %10zu %11.0f %13.0f %7.1fx\n", shapes[s].name, text.len / BLOCK_RECORDS, ours,
               theirs, ours / theirs);
        buf_finish(&text);
    }
    return 0;
}
