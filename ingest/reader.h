/*
 * Readers. A reader knows one log format and nothing else: not SQLite, not
 * labels, not sessions. The framer cuts the file into units (lines, values,
 * elements of a document); the reader is given a unit and says what it is:
 * records, noise of some kind, or unreadable. The assembler, which knows the
 * protocol and no format, makes events and steps of the records.
 *
 * A new format is one file and one line in reader_table.c.
 */
#ifndef STRANDLINE_INGEST_READER_H
#define STRANDLINE_INGEST_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/span.h"
#include "model/flow/step.h"

enum framing {
    FRAME_LINES,    /* by '\n' */
    FRAME_VALUES,   /* JSON values back to back, white space or nothing between */
    FRAME_ELEMENTS, /* one JSON document: head, each element of the array at `elements`, tail */
};

struct unit {
    struct span text;
    uint64_t offset, line; /* of the source */
    enum { UNIT_WHOLE, UNIT_HEAD, UNIT_ELEMENT, UNIT_TAIL } part;
    bool cut;              /* the file ended inside it */
};

enum record_kind {
    RECORD_MESSAGE,    /* JSON-RPC: object or batch, at `payload` */
    RECORD_PROMPT,     /* of the user or the system */
    RECORD_ASSISTANT,  /* text of the model */
    RECORD_CALL,       /* a tool call in a transcript */
    RECORD_RESULT,     /* its result */
    RECORD_DEFINITIONS,/* an array of tool definitions known to the host */
    RECORD_RESET,      /* the context was cleared; compaction when `compaction` */
    RECORD_START,      /* a connection (or process) started: ids begin anew */
    RECORD_STDERR,     /* the server's stderr: kept as an event, brings nothing into a context */
    RECORD_OTHER,      /* an event worth keeping that is no step */
};

enum direction { DIRECTION_UNKNOWN, CLIENT_TO_SERVER, SERVER_TO_CLIENT };

/* Spans of data lie inside unit.text, or in the arena where decoded. */
struct record {
    enum record_kind kind;
    struct span payload;     /* inside unit.text: message, arguments, result content, text */
    const char *recipe;      /* from payload's bytes to its text; NULL: as they are */
    int64_t time_ns;
    int time_digits;         /* -1: none recorded */
    enum direction direction;
    struct span server;      /* name; empty: unknown, or the host's own tool */
    struct span connection;  /* key that tells connections of one server apart (pid, Mcp-Session-Id) */
    struct span session;     /* the log's id of the session; empty: none */
    struct span host;        /* agent program and version */
    struct span agent;       /* id of a sub-agent inside the session; empty: the main one */
    struct span parent_call; /* call id in the main context that started that sub-agent */
    struct span tool;        /* RECORD_CALL */
    struct span call_id;     /* RECORD_CALL, RECORD_RESULT; empty: pair by order */
    struct span rpc_type;    /* RECORD_OTHER: its type in words of the format */
    bool is_error, refused, system, compaction;
    bool truncated, redacted, abandoned; /* abandoned: off the main path (an undone fork) */
};

/* Where a reader puts what it found in a unit. Exactly one of records, noise, bad per unit. */
struct outlet;
struct record *outlet_record(struct outlet *out, enum record_kind kind); /* zeroed, time_digits -1 */
void outlet_noise(struct outlet *out, const char *kind);
/* Unreadable at `offset` in the unit: becomes a diagnostic; the unit's bytes are kept. */
void outlet_bad(struct outlet *out, size_t offset, const char *what) ATTR_NONNULL;
struct arena *outlet_arena(struct outlet *out); /* lives until the unit is done */

struct probe {
    struct span head;       /* the first kilobytes, whole lines where possible */
    struct span path;       /* file name, for the few formats that need it */
    int confidence;         /* 0–100, set by the reader */
    char reason[160];
};

struct reader {
    const char *name;       /* "jsonrpc-lines": for --format */
    const char *title;      /* "JSON-RPC messages, one a line" */
    const char *where;      /* usual places of such logs, or NULL */
    const char *const *cannot_show; /* NULL-terminated: what this format does not hold */
    enum framing framing;
    const char *elements;   /* FRAME_ELEMENTS: member of the top object that holds the array; "" the top itself */
    void (*probe)(struct probe *probe);
    void *(*open)(struct span path);                       /* may be NULL: no state */
    void (*read)(void *state, const struct unit *unit, struct outlet *out);
    void (*close)(void *state);
};

const struct reader *reader_find(struct span name);
size_t reader_count(void);
const struct reader *reader_at(size_t index);
/* The best reader for these first bytes; never NULL: the fallback scan takes anything. */
const struct reader *reader_detect(struct span head, struct span path, struct probe *best);

#endif
