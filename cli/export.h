/*
 * Exports: the steps and findings of a case in the form of another tool. A form
 * is a table of what to write at each of them; cli/export.c walks.
 */
#ifndef STRANDLINE_CLI_EXPORT_H
#define STRANDLINE_CLI_EXPORT_H

#include "cli/render.h"

struct exporting {
    FILE *to;
    struct json json; /* JSONL onto `to` */
    struct subject *subject;
    struct review *review;
    struct span session;  /* as it is called in output */
    struct arena *arena;  /* for as long as one call of a form */
    int64_t without_time; /* left out, since the form can't say that a time is unknown */
};

struct export_form {
    const char *name, *what;
    bool needs_time; /* steps and findings without a recorded time are left out and counted */
    /* Any of these may be NULL. `row` of a finding is that of its step; NULL: of the session. */
    bool (*begin)(struct exporting *x, struct err *err);
    bool (*begin_session)(struct exporting *x, struct err *err);
    bool (*step)(struct exporting *x, const struct flow_row *row, struct err *err);
    bool (*finding)(struct exporting *x, const struct finding_view *finding,
                    const struct flow_row *row, struct err *err);
    bool (*end_session)(struct exporting *x, struct err *err);
    bool (*end)(struct exporting *x, struct err *err);
};

extern const struct export_form export_jsonl, export_timesketch, export_cef, export_ocsf,
    export_dot, export_otlp;

/* "tools/call create_branch of github": what a step is, in a few words. Appended; not yet safe to
 * show. */
void export_step_title(struct buf *out, const struct flow_row *row);

#endif
