/* A baseline: the finding ids of an earlier `check --json`. */
#ifndef STRANDLINE_CLI_BASELINE_H
#define STRANDLINE_CLI_BASELINE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "cli/json.h"

struct baseline {
    bool loaded;
    struct buf text;
    struct arena arena;
    struct span *ids; /* sorted */
    bool *seen;
    size_t count;
};

/* path NULL: no baseline. */
bool baseline_load(struct baseline *b, const char *path, struct err *err);
void baseline_finish(struct baseline *b);
/* Was it there before? Remembers that it still is. */
bool baseline_has(const struct baseline *b, struct span id);
/* "absent": ids that were there and are no more. */
void baseline_json_absent(const struct baseline *b, struct json *j);

#endif
