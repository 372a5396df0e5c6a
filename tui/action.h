/*
 * Actions: everything a person can do, once. The enum, the names in the `:`
 * palette, the keys and the help all come from this table.
 */
#ifndef STRANDLINE_TUI_ACTION_H
#define STRANDLINE_TUI_ACTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/span.h"
#include "tui/key.h"

/* X(id, name for `:`, default keys, group, help). A name that takes a word says so in the help. */
#define ACTIONS(X)                                                                                 \
    X(UP, "up", "Up k", MOVE, "one line up")                                                       \
    X(DOWN, "down", "Down j", MOVE, "one line down")                                               \
    X(PAGE_UP, "page-up", "PgUp C-b", MOVE, "one page up")                                         \
    X(PAGE_DOWN, "page-down", "PgDn C-f Space", MOVE, "one page down")                             \
    X(HALF_UP, "half-up", "C-u", MOVE, "half a page up")                                           \
    X(HALF_DOWN, "half-down", "C-d", MOVE, "half a page down")                                     \
    X(TOP, "top", "g Home", MOVE, "to the first line")                                             \
    X(BOTTOM, "bottom", "G End", MOVE, "to the last line")                                         \
    X(LEFT, "left", "Left h", MOVE, "fold, or to the tab on the left")                             \
    X(RIGHT, "right", "Right l", MOVE, "unfold, or to the tab on the right")                       \
    X(PAIR, "pair", "o", MOVE, "to the other half: from a call to its result, and back")           \
    X(GOTO, "goto", "%", MOVE, "to a step, or to a place in percent: goto 12, goto 50%")           \
    X(NEXT_VIOLATION, "next-violation", "v F3", JUMP,                                              \
      "to the next call that policy denies or asks about")                                         \
    X(PREVIOUS_VIOLATION, "previous-violation", "V", JUMP, "to the one before")                    \
    X(FIRST_UNTRUSTED, "first-untrusted", "u", JUMP, "to where the context turned untrusted")      \
    X(FIRST_PRIVATE, "first-private", "p", JUMP, "to where the context turned private")            \
    X(NEXT_CHANGE, "next-change", "t", JUMP, "to the next step that changed the context's label")  \
    X(PREVIOUS_CHANGE, "previous-change", "T", JUMP, "to the one before")                          \
    X(BACKWARD, "backward", "[", JUMP, "back to where you were before each jump")                  \
    X(FORWARD, "forward", "]", JUMP, "and forward again")                                          \
    X(NEXT_FINDING, "next-finding", ")", JUMP, "to the next step with a finding")                  \
    X(PREVIOUS_FINDING, "previous-finding", "(", JUMP, "to the one before")                        \
    X(SEARCH, "search", "/ F7", FIND, "search the text of all steps: search WORDS")                \
    X(SEARCH_NEXT, "search-next", "n", FIND, "to the next hit")                                    \
    X(SEARCH_PREVIOUS, "search-previous", "N", FIND, "to the hit before")                          \
    X(SEARCH_CASE, "search-case", "\\", FIND,                                                      \
      "search the text of all sessions: search-case WORDS")                                        \
    X(FILTER, "filter", "& F4", FIND,                                                              \
      "show only steps that match: filter tool:send_* label:untrusted")                            \
    X(FILTER_TOGGLE, "filter-toggle", "*", FIND, "the filter off for a moment, and on again")      \
    X(SORT, "sort", "r", FIND, "sessions in another order: worst, most denied, latest, …")         \
    X(MARK, "mark", "m", OWN, "mark this step with a letter")                                      \
    X(JUMP, "jump", "'", OWN, "to a mark: its letter; '' goes back to where you were")             \
    X(NOTE, "note", "a", OWN, "write a note on this step; kept in the case")                       \
    X(NOTEBOOK, "notebook", "A", OWN,                                                              \
      "your marks and notes, all of them: go to one, edit, delete")                                \
    X(EDIT, "edit", "E", OWN, "on that screen: the note under the cursor in other words")          \
    X(DELETE, "delete", "X Delete", OWN,                                                           \
      "on that screen: the mark or note goes; U brings it back")                                   \
    X(COPY, "copy", "y", OWN, "copy what is selected to the clipboard (OSC 52)")                   \
    X(COPY_PATH, "copy-path", "Y", OWN,                                                            \
      "copy where the value under the cursor stands in its JSON: /content/0/text")                 \
    X(REPORT, "report", "R", OWN, "hand it over: what is proven, and a report: report FILE.html")  \
    X(SAVE_SCREEN, "save-screen", "", OWN, "this screen as text: save-screen FILE")                \
    X(OPEN, "open", "Enter", SCREEN, "open what is under the cursor")                              \
    X(BACK, "back", "q", SCREEN, "back; on the first screen it leaves the program")                \
    X(ESCAPE, "escape", "Esc", SCREEN, "stop searching, forget what was searched for, or go back") \
    X(NEXT_PANE, "next-pane", "Tab", SCREEN, "the keys go to the other pane")                      \
    X(PREVIOUS_PANE, "previous-pane", "S-Tab", SCREEN, "the same")                                 \
    X(ZOOM, "zoom", "z", SCREEN, "the pane with the keys fills the screen, and back")              \
    X(GROW, "grow", "+", SCREEN, "more room for the details")                                      \
    X(SHRINK, "shrink", "-", SCREEN, "less room for the details")                                  \
    X(WRAP, "wrap", "W", SCREEN, "long text wrapped, or cut to one line")                          \
    X(FOLD_ALL, "fold-all", "Z", SCREEN, "fold or unfold the whole tree")                          \
    X(TAB_1, "request", "1", SCREEN, "tab Request: what was asked of the tool")                    \
    X(TAB_2, "result", "2", SCREEN, "tab Result: what came back")                                  \
    X(TAB_3, "label", "3", SCREEN, "tab Label: how label and verdict were derived, rule by rule")  \
    X(TAB_4, "proof", "4", SCREEN, "tab Evidence: the records behind this step's claims")          \
    X(TAB_5, "raw", "5", SCREEN, "tab Raw: the message as it was recorded")                        \
    X(TAB_6, "notes", "6", SCREEN, "tab Notes: yours")                                             \
    X(WHY, "why", "w F6", GO, "why is the context what it is here: the chain of causes")           \
    X(FINDINGS, "findings", "f F5", GO, "everything found, worst first")                           \
    X(EVIDENCE, "evidence", "e F8", GO, "every evidence record, and what re-deriving it gave")     \
    X(RECORD, "record", "i", GO, "the record: is it complete, what could not be read or shown")    \
    X(EGRESS, "egress", "x", GO, "what left, and to whom")                                         \
    X(TOOLS, "tools", "d", GO, "the tools: their hints, their use, and what changed in them")      \
    X(SQL, "sql", "S", GO, "a question in SQL over the views of the case: sql SELECT …")           \
    X(WHATIF, "whatif", "c F9", GO,                                                                \
      "what if: under each policy, with other labels, with items left out")                        \
    X(POLICY, "policy", "P", GO, "the same record under another policy: policy fides")             \
    X(RELABEL, "relabel", "L", GO,                                                                 \
      "what if it, or what a denied call rests on, had another label: relabel trusted")            \
    X(DROP, "drop", "D", GO, "what if this step never was")                                        \
    X(UNDO, "undo", "U", GO, "what if: take back what was supposed last")                          \
    X(DIFF, "diff", "=", GO,                                                                       \
      "how this session differs from another, such as a good run: diff NAME")                      \
    X(ELSEWHERE, "elsewhere", "O", GO, "which other sessions saw this text, host or definition")   \
    X(LESSON, "lesson", "", GO, "this session as a lesson: what will the next label be?")          \
    X(STEPS, "steps", "", GO, "the steps of the open session: its first screen")                   \
    X(SESSIONS, "sessions", "s F2", GO, "the sessions of this case")                               \
    X(HELP, "help", "? F1", GO, "every key, searchable")                                           \
    X(COMMAND, "command", ":", GO, "run an action by name, with completion")                       \
    X(MOUSE, "mouse", "M", PROGRAM,                                                                \
      "the mouse for this program (click, wheel), or for the terminal")                            \
    X(REDRAW, "redraw", "C-l", PROGRAM, "draw the screen again")                                   \
    X(SUSPEND, "suspend", "C-z", PROGRAM, "back to the shell for a while; fg returns")             \
    X(CANCEL, "cancel", "C-c", PROGRAM, "stop a search; pressed twice, leave the program")         \
    X(QUIT, "quit", "Q F10", PROGRAM, "leave the program")

/* X(verb of the command line, action): what it is called there, where `:` has another name. */
#define ACTION_VERBS(X)                                                                            \
    X("replay", STEPS)                                                                             \
    X("show", OPEN)                                                                                \
    X("check", FINDINGS)                                                                           \
    X("verify", EVIDENCE)

/* X(verb): those that make or read files, and have no screen. */
#define OUTER_VERBS(X)                                                                             \
    X("import")                                                                                    \
    X("digest")                                                                                    \
    X("export") X("redact") X("seal") X("keygen") X("scan") X("merge") X("formats") X("completion")

#define ACTION_GROUPS(X)                                                                           \
    X(MOVE, "Moving")                                                                              \
    X(JUMP, "To what matters")                                                                     \
    X(FIND, "Finding")                                                                             \
    X(GO, "Other screens") X(SCREEN, "This screen") X(OWN, "Your own") X(PROGRAM, "The program")

enum action {
    ACTION_NONE,
#define X(id, ...) ACTION_##id,
    ACTIONS(X)
#undef X
        ACTION_COUNT
};

enum action_group {
#define X(id, title) GROUP_##id,
    ACTION_GROUPS(X)
#undef X
        GROUP_COUNT
};

struct action_info {
    const char *name, *keys, *help;
    enum action_group group;
};

const struct action_info *action_info(enum action action); /* not for ACTION_NONE */
/* The heading in the help. */
const char *action_group_title(enum action_group group);
enum action action_of_name(struct span name); /* or verb */
bool action_is_outside(struct span verb);     /* a verb of the command line alone */

/* Which keys do what: the table's, where a person has set none. */
struct keymap {
    const char *of[ACTION_COUNT]; /* names of keys, parted by blanks */
};
/* All as in the table. */
void keymap_init(struct keymap *map);
enum action keymap_action(const struct keymap *map, struct key key); /* ACTION_NONE: no such key */
/* The first key of an action as a person reads it, "" where it has none. */
struct span keymap_first(const struct keymap *map, enum action action);
/* Takes a key from the action that has it, so that it can be given to another. */
void keymap_release(struct keymap *map, struct key key, struct arena *arena);

/* Completion: the nth action whose name or verb begins with prefix, ACTION_NONE past the last. */
enum action action_complete(struct span prefix, size_t nth);

#endif
