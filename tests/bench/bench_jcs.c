/*
 * Canonicalization and SHA-256 of a gigabyte of records, beside json-c's parse
 * of the same text. One line each, megabytes a second; exit 1 where the promise
 * (400 MB/s, and 1.5 times json-c) is not kept.
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

enum { BLOCK_RECORDS = 20000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Records as tools answer them: text of some length, numbers, nesting, names out of order. */
static void make_records(struct buf *text, size_t *ends)
{
    for (int i = 0; i < BLOCK_RECORDS; i++) {
        buf_addf(text,
                 "{\"type\": \"text\", \"id\": %d, \"score\": %d.%d, \"author\": {\"login\": "
                 "\"user%d\", "
                 "\"id\": %d, \"admin\": false}, \"labels\": [\"bug\", \"caf\xc3\xa9\", \"help "
                 "wanted\"], "
                 "\"body\": \"",
                 i, i % 100, i % 7, i % 1000, i * 7);
        for (int k = 0; k < 3 + i % 12; k++)
            buf_puts(text, "The issue was opened by a reader who could not find the page.\\n");
        buf_addf(text, "\", \"created_at\": \"2026-05-%02dT12:00:00Z\", \"comments\": null}",
                 1 + i % 28);
        ends[i] = text->len;
    }
}

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
    size_t megabytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    struct buf text = {0};
    static size_t ends[BLOCK_RECORDS];
    make_records(&text, ends);
    size_t rounds = megabytes * 1000000 / text.len + 1;
    double size = (double)text.len * (double)rounds / 1e6;
    double ours = size / canonicalize_all(&text, ends, rounds);
    double theirs = size / parse_all(&text, ends, rounds);
    printf("records of %zu bytes, %.0f MB\n", text.len / BLOCK_RECORDS, size);
    printf("jcs + sha256   %8.0f MB/s\n", ours);
    printf("json-c parse   %8.0f MB/s\n", theirs);
    buf_finish(&text);
    return ours > 400 && ours > 1.5 * theirs ? 0 : 1;
}
