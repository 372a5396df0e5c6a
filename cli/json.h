/*
 * JSON output. Written as it goes, so that a list of a million steps needs no
 * memory, and with every character that text.h would mark escaped as \u…, so
 * that even `--json` on a terminal shows nothing of what the data would do to
 * it. (json-c would hold the whole document and print bidi controls as they
 * are.)
 *
 *     json_object(j, NULL); json_string(j, "tool", tool); json_end(j);
 *
 * A key is NULL inside arrays and for the outermost value.
 */
#ifndef STRANDLINE_CLI_JSON_H
#define STRANDLINE_CLI_JSON_H

#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

struct json {
    struct buf text;
    FILE *to; /* flushed there now and then; NULL: stays in text */
    int depth;
    bool pretty;      /* a member a line */
    bool fresh;       /* nothing written in this container yet */
    uint64_t objects; /* bit per depth: a '{' rather than a '[' */
};

/* Writes to `to`, or keeps all in `text` where that is NULL. */
void json_init(struct json *j, FILE *to, bool pretty);
void json_finish(struct json *j); /* ends what is open, newline, then as json_close */
void json_close(struct json *j);  /* flush, free */

/* Opens an object, an array; `key` is its name in an object, NULL in an array and at the top. */
void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
/* Closes the innermost. */
void json_end(struct json *j);
/* Ends a line of JSONL. */
void json_line(struct json *j);

void json_string(struct json *j, const char *key, struct span text); /* data: at == NULL is null */
void json_word(struct json *j, const char *key, const char *ours);   /* NULL is null */
/* Numbers, true and false, null. A double has that many digits behind the point. */
void json_int(struct json *j, const char *key, int64_t value);
void json_int_or_null(struct json *j, const char *key, int64_t value, bool present);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
void json_double(struct json *j, const char *key, double value, int digits);
/* Text that is JSON already. */
void json_raw(struct json *j, const char *key, struct span value);

#endif
