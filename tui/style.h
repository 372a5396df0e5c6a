/*
 * Styles: what a cell means, not what it looks like. Each style lives once, in
 * this list, with its colours on dark and light grounds of 256 colours, on 16
 * colours, and its attributes without any colour. A glyph or a word always
 * carries the same meaning: colour is never the only carrier.
 */
#ifndef STRANDLINE_TUI_STYLE_H
#define STRANDLINE_TUI_STYLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/span.h"

enum look_attribute { /* bits */
                      LOOK_BOLD = 1,
                      LOOK_DIM = 2,
                      LOOK_UNDERLINE = 4,
                      LOOK_REVERSE = 8,
                      LOOK_ITALIC = 16,
};

/*
 * X(id, name, meaning, dark fg, dark bg, light fg, light bg, fg of 16, bg of 16, attributes,
 *   attributes without colour). -1 is the terminal's own colour.
 */
#define STYLES(X)                                                                                  \
    X(PLAIN, "plain", "text", -1, -1, -1, -1, -1, -1, 0, 0)                                        \
    X(STRONG, "strong", "what a line is about", 255, -1, 16, -1, -1, -1, LOOK_BOLD, LOOK_BOLD)     \
    X(DIM, "dim", "beside the point", 246, -1, 241, -1, -1, -1, 0, 0)                              \
    X(FAINT, "faint", "lines and separators", 240, -1, 248, -1, -1, -1, 0, LOOK_DIM)               \
    X(TITLE, "title", "the title line", 252, 236, 235, 254, 0, 7, 0, LOOK_REVERSE)                 \
    X(TITLE_STRONG, "title-strong", "names in the title line", 231, 236, 16, 254, 0, 7, LOOK_BOLD, \
      LOOK_REVERSE | LOOK_BOLD)                                                                    \
    X(TITLE_DIM, "title-dim", "captions in the title line", 246, 236, 242, 254, 0, 7, 0,           \
      LOOK_REVERSE)                                                                                \
    X(TITLE_GOOD, "title-good", "good news in the title line", 114, 236, 28, 254, 0, 7, 0,         \
      LOOK_REVERSE)                                                                                \
    X(TITLE_BAD, "title-bad", "bad news in the title line", 210, 236, 124, 254, 1, 7, LOOK_BOLD,   \
      LOOK_REVERSE | LOOK_BOLD)                                                                    \
    X(HEADER, "header", "heads of columns", 246, -1, 241, -1, -1, -1, LOOK_UNDERLINE,              \
      LOOK_UNDERLINE)                                                                              \
    X(BAR, "bar", "the bottom line", 246, -1, 241, -1, -1, -1, 0, 0)                               \
    X(KEY, "key", "a key to press", 117, -1, 25, -1, 6, -1, LOOK_BOLD, LOOK_BOLD)                  \
    X(LANE_LOW, "lane-low", "a lane that is low: trusted, public", 242, -1, 246, -1, -1, -1, 0,    \
      LOOK_DIM)                                                                                    \
    X(UNTRUSTED, "untrusted", "integrity is untrusted", 215, -1, 130, -1, 3, -1, 0, LOOK_BOLD)     \
    X(PRIVATE, "private", "confidentiality is private", 111, -1, 26, -1, 12, -1, 0, LOOK_BOLD)     \
    X(BOTH, "both", "untrusted and private", 176, -1, 90, -1, 5, -1, 0, LOOK_BOLD)                 \
    X(RISE_INTEGRITY, "rise-integrity", "the context turns untrusted here", 16, 215, 231, 130, 0,  \
      3, LOOK_BOLD, LOOK_REVERSE | LOOK_BOLD)                                                      \
    X(RISE_CONFIDENTIALITY, "rise-confidentiality", "the context turns private here", 16, 111,     \
      231, 26, 15, 4, LOOK_BOLD, LOOK_REVERSE | LOOK_BOLD)                                         \
    X(ALLOW, "allow", "allowed", 108, -1, 65, -1, 2, -1, 0, 0)                                     \
    X(ASK, "ask", "a person must be asked", 221, -1, 94, -1, 3, -1, LOOK_BOLD, LOOK_BOLD)          \
    X(DENY, "deny", "denied by policy", 210, -1, 160, -1, 1, -1, LOOK_BOLD, LOOK_BOLD)             \
    X(DENY_BADGE, "deny-badge", "a denied call's badge", 231, 160, 231, 160, 15, 1, LOOK_BOLD,     \
      LOOK_REVERSE | LOOK_BOLD)                                                                    \
    X(GOOD, "good", "verified, found in order", 114, -1, 28, -1, 2, -1, 0, 0)                      \
    X(BAD, "bad", "failed", 210, -1, 160, -1, 1, -1, LOOK_BOLD, LOOK_BOLD)                         \
    X(UNKNOWN, "unknown", "can't be said", 186, -1, 94, -1, 3, -1, 0, 0)                           \
    X(CRITICAL, "critical", "a finding: critical", 231, 160, 231, 160, 15, 1, LOOK_BOLD,           \
      LOOK_REVERSE | LOOK_BOLD)                                                                    \
    X(HIGH, "high", "a finding: high", 210, -1, 160, -1, 1, -1, LOOK_BOLD, LOOK_BOLD)              \
    X(MEDIUM, "medium", "a finding: medium", 221, -1, 94, -1, 3, -1, 0, 0)                         \
    X(LOW, "low", "a finding: low", 152, -1, 24, -1, 6, -1, 0, 0)                                  \
    X(INFO, "info", "a finding: for information", 246, -1, 241, -1, -1, -1, 0, 0)                  \
    X(MARK, "mark", "a hidden character, shown", 219, 53, 90, 225, 13, 0, 0, LOOK_REVERSE)         \
    X(USER, "user", "the person", 231, -1, 16, -1, 15, -1, LOOK_BOLD, LOOK_BOLD)                   \
    X(AGENT, "agent", "the model", 252, -1, 236, -1, 7, -1, 0, 0)                                  \
    X(SERVER_0, "server-0", "a server", 80, -1, 30, -1, 6, -1, 0, 0)                               \
    X(SERVER_1, "server-1", "a server", 150, -1, 64, -1, 2, -1, 0, 0)                              \
    X(SERVER_2, "server-2", "a server", 183, -1, 97, -1, 5, -1, 0, 0)                              \
    X(SERVER_3, "server-3", "a server", 223, -1, 94, -1, 3, -1, 0, 0)                              \
    X(SERVER_4, "server-4", "a server", 117, -1, 25, -1, 14, -1, 0, 0)                             \
    X(SERVER_5, "server-5", "a server", 181, -1, 125, -1, 13, -1, 0, 0)                            \
    X(JSON_NAME, "json-name", "a member's name", 110, -1, 25, -1, 6, -1, 0, 0)                     \
    X(JSON_STRING, "json-string", "text in JSON", 252, -1, 235, -1, -1, -1, 0, 0)                  \
    X(JSON_NUMBER, "json-number", "a number", 180, -1, 94, -1, 3, -1, 0, 0)                        \
    X(JSON_WORD, "json-word", "true, false, null", 176, -1, 90, -1, 5, -1, 0, 0)                   \
    X(MATCH, "match", "what was searched for", 16, 221, 16, 221, 0, 3, 0,                          \
      LOOK_REVERSE | LOOK_UNDERLINE)                                                               \
    X(TAB, "tab", "a tab", 246, -1, 241, -1, -1, -1, 0, 0)                                         \
    X(TAB_ON, "tab-on", "the open tab", 231, -1, 16, -1, 15, -1, LOOK_BOLD | LOOK_UNDERLINE,       \
      LOOK_BOLD | LOOK_UNDERLINE)                                                                  \
    X(DIVIDER, "divider", "between two panes", 240, -1, 248, -1, -1, -1, 0, 0)                     \
    X(DIVIDER_ON, "divider-on", "the pane that has the keys", 117, -1, 25, -1, 6, -1, LOOK_BOLD,   \
      LOOK_BOLD)                                                                                   \
    X(ERROR, "error", "a message of failure", 210, -1, 160, -1, 1, -1, LOOK_BOLD, LOOK_BOLD)       \
    X(NOTE, "note", "the reviewer's own", 229, -1, 94, -1, 11, -1, LOOK_ITALIC, 0)                 \
    X(CURSOR, "cursor", "the step under the cursor", 16, 117, 231, 25, 0, 6, 0, LOOK_BOLD)

enum style {
#define X(id, ...) STYLE_##id,
    STYLES(X)
#undef X
        STYLE_COUNT
};

enum { STYLE_SERVERS = 6 };

enum style_colours { COLOURS_AUTO, COLOURS_NONE, COLOURS_16, COLOURS_256 };
enum style_ground { GROUND_AUTO, GROUND_DARK, GROUND_LIGHT };

/* How a style looks on one kind of terminal. */
struct look {
    int fg, bg; /* -1: the terminal's own */
    unsigned attributes;
};

/* Its name in the config; ours. */
const char *style_name(enum style style);
/* The colour of a server: by its place in "github, notes", the servers of the session, so that two
 * of them differ; by its name where it is not among them. */
enum style style_of_server(struct span servers, struct span server);
/* The look of a style; `selected` is the row under the cursor. */
struct look style_look(enum style style, bool selected, enum style_colours colours, bool light);
/* From COLORFGBG where the terminal sets it; else dark. */
bool style_ground_is_light(enum style_ground ground);

#endif
