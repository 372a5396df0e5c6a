/*
 * The loop's state, and what views may ask of it. One step is selected at a
 * time, on every screen.
 */
#ifndef STRANDLINE_TUI_CORE_H
#define STRANDLINE_TUI_CORE_H

#include "model/case/case.h"
#include "model/query/notes.h"
#include "model/query/query.h"
#include "tui/config.h"
#include "tui/explorer.h"
#include "tui/prompt.h"
#include "tui/view.h"

struct doc_view;

enum { VIEW_DEPTH = 12 };

/* Steps that match a filter, found in slices. */
struct matches {
    struct filter *filter; /* NULL: no filter */
    struct buf text;
    struct buf before; /* the one that was on when a new one began to be typed */
    bool on;           /* false: switched off for a moment */
    bool done;         /* all steps were looked at */
    bool of_findings;  /* it asks for findings, which have to be known first */
    int64_t looked_to;
    int64_t
        origin; /* the step where it began to be typed: the nearest one is shown, Esc goes back */
    int64_t *n;
    size_t count, room;
    char problem[2 * ERR_TEXT + 4]; /* of the text being typed; "": it is valid */
    const char *advice;             /* the part of it that says what to write */
};

/* The search for the next step that holds a text, in slices. */
struct search {
    struct filter *filter;
    struct buf text;
    struct buf before; /* what was searched for when another text began to be typed */
    bool running, forward, wrapped;
    int64_t origin; /* where Esc goes back to while it is being typed */
    int64_t next, looked;
};

/* What is supposed on the What-if screen: undone from the end. */
enum change_kind { CHANGE_LABEL, CHANGE_DROP, CHANGE_POLICY };
enum { CHANGES_MOST = 64 };
struct supposed {
    struct change {
        enum change_kind kind;
        int64_t n;       /* 0 for a policy */
        struct buf text; /* the label, or the policy's name, as it was typed */
    } change[CHANGES_MOST];
    size_t count;
};

/* A session that is being opened, or the open one under another policy. What was there before stays
 * until it is. */
struct opening {
    const struct session_view *session; /* NULL: none */
    struct policy *policy;              /* own; NULL: the one of now */
    int64_t n;                          /* to be shown; 0: where the reviewer was */
};

/* Where one was before each jump, oldest first: the jump list of the open session. */
enum { PLACES_MOST = 64 };
struct places {
    int64_t n[PLACES_MOST + 1]; /* room for where one is when one begins to go back */
    int count, at;              /* `at`: the one that going back leads to is before it */
};

enum awaiting { AWAIT_KEY, AWAIT_MARK, AWAIT_JUMP };

struct explorer {
    struct explorer_options options;
    struct policy *own_policy; /* chosen here; NULL: the one of the options */
    struct config config;      /* keys and colours as the person set them */
    struct cells grid;
    struct view stack[VIEW_DEPTH];
    int depth;

    struct arena arena; /* of the list of sessions */
    struct arena facts; /* of what is known of them beside their names */
    struct session_view *sessions;
    size_t session_count;
    struct buf sessions_filter;         /* words that sessions in the list must hold */
    bool sessions_filter_on;            /* else it is off for a moment */
    int64_t sessions_filter_version;    /* grows when another one holds */
    bool sessions_known;                /* else only what names them */
    const struct session_view *session; /* the open one, NULL: none */
    struct review *review;
    int64_t reviews; /* grows when rows may look otherwise: another review, or its findings came */
    int64_t checked; /* steps that were looked at for findings */
    bool check_failed;
    struct review_summary summary;
    int64_t n; /* the selected step, from 1; 0: there is none */
    int64_t before_jump;
    struct places places;

    struct opening opening;
    struct slice *asking; /* of the question at hand; NULL: until a key comes */
    bool ask_stopped;

    struct supposed supposed; /* of the open session */
    struct matches matches;
    struct search search;
    struct prompt prompt;
    enum awaiting awaiting;
    struct buf message; /* shown until the next key; may hold data */
    enum style message_style;
    struct buf query;       /* SQL that the next screen of it asks */
    struct buf case_search; /* what was last searched for in all sessions */
    int64_t compare_with;   /* the session that the next Diff compares with; 0: a person chooses */
    int64_t notes_version;  /* grows with each change of notes */
    int64_t note_edited;    /* whose text is on the prompt; 0: a new one */
    bool quit, cancelled;
    bool stepped;              /* the last key moved the cursor by a row */
    bool hurried;              /* what follows the cursor waits until the keys pause */
    enum case_check soundness; /* of the file */
    bool followed, grown; /* an import adds to the case; it did, and the screen doesn't have it */
    int64_t looked_ms;    /* when that was looked at last */

    /* Of the terminal; NULL without one. */
    void (*redraw)(void *arg);
    void (*suspend)(void *arg);
    bool (*copy)(void *arg, struct span text);
    bool (*mouse)(void *arg);   /* turns it on, or off again; gives which */
    void (*show)(void *arg);    /* puts the frame, where it is time for one */
    bool (*has_key)(void *arg); /* is one waiting? */
    void *terminal;
};

/* ---- for views ---- */

/* Opens a screen over the others. One that can't open says why on the last line, and none is
 * there. */
void explorer_push(struct explorer *x, const struct view_ops *ops);
struct view *explorer_top(struct explorer *x);
/*
 * A question that may take long. A screen asks it when it opens, for a slice, and where that was
 * too short, from idle until a key comes (slice NULL). 0: it was answered, -1: it failed, 1: it is
 * to be asked again, from its beginning.
 */
int explorer_ask(struct explorer *x, struct slice *slice,
                 bool (*question)(void *arg, struct err *err), void *arg, struct err *err);
/* For the question, where it is not the case that is asked: is it to end? */
bool explorer_is_waited_for(struct explorer *x);
/* The same, and what was said meanwhile is shown. */
bool explorer_may_go_on(struct explorer *x);
/* All that the list of sessions shows, where it is not known yet; as explorer_ask. */
int explorer_know_sessions(struct explorer *x, struct slice *slice, struct err *err);
/* A step of that session (0: the one where the reviewer was) in a flow above the screen, which
 * going back leads to. It may take a while until a long session is there: explorer_idle goes on. */
void explorer_visit(struct explorer *x, const struct session_view *session, int64_t n);
bool explorer_stop_opening(struct explorer *x); /* false: there was nothing to stop */
const struct session_view *explorer_session(const struct explorer *x, int64_t id);
/* Selects a step, remembers where one was, and shows it in the flow. */
void explorer_goto(struct explorer *x, int64_t n);
/* A step was left by a jump: it goes on the jump list. */
void explorer_leave(struct explorer *x, int64_t n);
/* Along the jump list. */
void explorer_retrace(struct explorer *x, bool forward);
void explorer_say(struct explorer *x, enum style style, const char *format, ...) ATTR_PRINTF(3, 4);
void explorer_say_data(struct explorer *x, struct span data); /* appended to what is said */
void explorer_fail(struct explorer *x, const struct err *err);
unsigned explorer_act(struct explorer *x, enum action action);
/* The first line of a screen; gives what is left of the area. */
struct area explorer_title(struct explorer *x, struct area area, const char *screen);
/* One line of `:`, without the colon. */
void explorer_command(struct explorer *x, struct span line);
/* Opens the bottom line for a search: of the screen where it has its own, else of all steps. */
void explorer_ask_search(struct explorer *x);
void explorer_copy(struct explorer *x, struct span text);
/* Where the value under the cursor stands in its JSON: copied, and said. */
void explorer_copy_path(struct explorer *x, const struct doc_view *view);

/* ---- view_whatif.c ---- */

/* Supposes that as well (a label or a drop: of the selected step) and shows what would differ. */
int64_t explorer_labelled_step(struct explorer *x); /* whose label is supposed next; 0: nobody's */
struct span explorer_other_label(struct explorer *x); /* than it has, as it would be typed */
void explorer_suppose(struct explorer *x, enum change_kind kind, struct span text);
void supposed_clear(struct explorer *x);

/* ---- find.c ---- */

/* The filter that a search for the text is. */
void search_as_filter(struct span text, struct buf *out);
/* Text is looked for as it stands; "/…/" is a regular expression. From the step after
 * the selected one on, or from there on. Empty: forgets what was searched for. */
void search_start(struct explorer *x, struct span text, bool from_here);
void search_again(struct explorer *x, bool forward);
void search_stop(struct explorer *x);
bool search_slice(struct explorer *x, struct slice *slice); /* true: more to do */
void matches_set(struct explorer *x, struct span text);
bool matches_slice(struct explorer *x, struct slice *slice);
/* Steps in sight of the flow: all, or those that match so far. */
int64_t matches_shown(const struct explorer *x);
int64_t matches_step(const struct explorer *x, int64_t position); /* position from 0 → step */
/* Is step n among them (or is no filter on)? */
bool matches_has(const struct explorer *x, int64_t n);
int64_t matches_position(const struct explorer *x, int64_t n); /* nearest at or before */
void matches_finish(struct explorer *x);
void find_finish(struct explorer *x); /* the search, too */

/* ---- the screens ---- */

extern const struct view_ops view_flow, view_sessions, view_why, view_findings, view_evidence,
    view_egress, view_tools, view_whatif, view_record, view_sql, view_help, view_diff,
    view_elsewhere, view_report, view_lesson, view_notebook, view_search;

/* ---- words that several screens share ---- */

enum style style_of_severity(int severity);
/* Signs and their styles: ours, one column wide. */
const char *glyph_of_severity(int severity);
enum style style_of_evidence(struct span verdict);
const char *glyph_of_evidence(struct span verdict);
/* "user", "system" or "agent" where the step is what one of them says; else NULL. */
const char *talker_of(const struct step *step, enum style *style);
void verdict_draw(struct area area, int row, int column, enum verdict verdict);
/* "untrusted, private": short, of ours; "" where it is trusted and public. */
const char *label_short(struct label label);
enum style style_of_label(struct label label);
/* "+1.2s", "+4m10s", "+2h05m" into text. */
void duration_text(int64_t ns, char text[24]);
/* RFC 3339 UTC into text, whole seconds. */
void time_text(int64_t ns, char text[40]);

#endif
