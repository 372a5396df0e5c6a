/*
 * The report: what a case says, to be handed over. What goes in is gathered
 * once, from the queries that the screens and verbs ask, a session at a time;
 * how it looks is one table entry a format (report_html.c, report_md.c,
 * report_json.c, report_sarif.c).
 *
 * The same case under the same policy gives the same bytes: no clock, no name
 * of the machine. Text from the record is data: each format escapes it in one
 * place, and credentials in it are masked before it gets there.
 */
#ifndef STRANDLINE_CLI_REPORT_H
#define STRANDLINE_CLI_REPORT_H

#include "cli/account.h"
#include "model/case/source.h"
#include "model/query/account.h"
#include "model/query/notes.h"
#include "model/query/query.h"
#include "model/query/tools.h"

enum {
    REPORT_STEPS = 2000, /* of one session in the timeline */
    REPORT_TEXT = 300,   /* bytes of a text that are shown */
    REPORT_FINDINGS = 2000,
    REPORT_EGRESS = 500,        /* calls that send something out */
    REPORT_TRACED = 100,        /* of these, looked into for where their text came from, */
    REPORT_TRACE_STEPS = 20000, /* as long as no more steps have to be read for one */
    REPORT_CAUSES = 5,          /* of what made a context what it is */
    REPORT_PIECES = 12,         /* of what one of them sends */
};

/* Bytes of a step's body with what stands beside them, masked. */
struct report_excerpt {
    int64_t n;
    struct span pointer;             /* empty: the body itself */
    struct span before, text, after; /* text empty: the pointer says it all */
};

struct report_finding {
    struct finding_view view;
    struct span message; /* masked */
    struct report_excerpt *places;
    size_t place_count;
};

/* A row of the timeline. */
struct report_step {
    struct flow_row row;
    struct span text;                 /* its text in one line, masked */
    struct span sentence;             /* what happened to the context; empty where nothing did */
    enum label_origin context_origin; /* of the label of the context after it */
    struct span context_rule;
    int64_t left_out; /* steps between the row above and this one that are not shown */
};

/* A call that sends something out, and the earlier text that stands in it. */
struct report_egress {
    struct flow_row row;
    struct span text;
    struct {
        struct span pointer, text;
        int64_t n;
        const char *source, *how;
    } piece[REPORT_PIECES];
    size_t pieces, more; /* pieces that are shown, and those that are not */
    bool looked;         /* false: beyond what is traced */
    bool capped;         /* some earlier text could not be looked at */
};

struct report_session {
    struct session_view view;
    struct review_summary summary;
    struct review *review;
    struct report_step *steps;
    size_t step_count;
    struct report_finding *findings; /* worst first */
    size_t finding_count, findings_left_out;
    struct report_egress *egress;
    size_t egress_count, egress_left_out;
    struct evidence_view *evidence;
    size_t evidence_count;
    struct tool_view *tools; /* those whose definition changed */
    size_t tool_count;
    struct note_view *notes;
    size_t note_count;
    struct {
        const char *axis;
        int64_t n; /* the first denied step, or the last one */
        struct why why;
    } cause[2]; /* integrity, confidentiality */
    struct arena arena;
};

struct report_source {
    struct source_view view;
    enum source_state state; /* does the case's copy still hash to what was imported? */
    struct diagnostic_view *diagnostics;
    size_t diagnostic_count; /* at most REPORT_DIAGNOSTICS */
};
enum { REPORT_DIAGNOSTICS = 20 };

/* What is known before any session is looked at. */
struct report {
    struct case_file *c;
    const struct policy *policy;
    const char *name; /* of the case, or of what was read */
    struct report_source *sources;
    size_t source_count;
    struct session_view *sessions; /* those reported on */
    size_t session_count;
    struct limits limits;               /* what the record can't show */
    int64_t findings[5], denied, asked; /* of all sessions, by severity; what is accepted is out */
    int64_t evidence_refs, evidence_ok, evidence_failed;
    bool sources_whole, sources_same, sources_redacted;
    size_t written, left_out; /* for the format: items of its list so far, and those it left out */
    struct arena arena;
};

/* One format. `end` writes what closes it. Each appends to out, which is written away between. */
struct report_format {
    const char *name;    /* "html" */
    const char *endings; /* of file names, parted by blanks */
    void (*begin)(struct report *r, struct buf *out);
    void (*session)(struct report *r, const struct report_session *s, struct buf *out);
    void (*end)(struct report *r, struct buf *out);
};
extern const struct report_format report_html, report_markdown, report_json, report_sarif;
/* By --as, or by the ending of the file's name; NULL and err where there is none. */
const struct report_format *report_format_find(const char *as, const char *path, struct err *err);

/* sessions: those to report on; they were replayed, and the findings are made here. */
bool report_gather(struct report *r, struct case_file *c, const struct policy *policy,
                   const char *name, const struct session_view *sessions, size_t count,
                   struct err *err);
void report_finish(struct report *r);
bool report_session_gather(const struct report *r, const struct session_view *view,
                           struct report_session *s, struct err *err);
void report_session_finish(struct report_session *s);

/* The whole of it to `path` ("-": standard output). `fresh`: a file that is there already is not
 * written over. */
bool report_write(struct case_file *c, const struct policy *policy, const char *name,
                  const struct session_view *sessions, size_t count,
                  const struct report_format *format, const char *path, bool fresh,
                  struct err *err);

/* ---- words that the formats share ---- */

/* "2026-05-26T09:12:04Z", or "no time recorded". */
void report_time(struct buf *out, int64_t ns, int digits);
/* "untrusted, private (…)" of what came in, "no claim", or nothing. */
void report_label(struct buf *out, struct review *review, const struct flow_row *row);
/* Why a verdict on evidence is what it is, without the verdict's word in front. */
struct span report_reason(const struct evidence_view *evidence);
/* "critical: 1, high: 6"; "none". */
void report_counts(struct buf *out, const int64_t findings[5]);
/* "✔ unchanged": what became of a source's bytes. */
const char *report_state_text(enum source_state state);
/* "github create_branch", "prompt": who and what; data. */
void report_who(struct buf *out, const struct flow_row *row);

#endif
