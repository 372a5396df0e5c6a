/* The account of sources: what became of every byte. */
#ifndef STRANDLINE_CLI_ACCOUNT_H
#define STRANDLINE_CLI_ACCOUNT_H

#include "cli/json.h"
#include "cli/subject.h"
#include "model/query/account.h"

/* What logs of a format can't show, lines ended by NULL. */
const char *const *account_cannot_show(struct span format);
/* What a record of several logs can't show: of each format once, and then what none can. */
struct limits {
    const char *lines[64];
    size_t count;
};
void account_add_limits(struct limits *limits, struct span format);
void account_end_limits(struct limits *limits); /* after the last format */
/* The member "accounted" of an object already begun: bytes of each kind. */
void account_json(struct json *j, const struct source_view *v);
/* By number, path, or the last part of a path that only one has; 0 and err where there is none. */
int64_t account_find_source(struct case_file *c, struct span word, struct err *err);
bool account_print(struct case_file *c, const struct output *output, struct err *err);
/* One line over all log sources, for `sessions`. */
bool account_line(struct case_file *c, struct buf *out, struct err *err);

#endif
