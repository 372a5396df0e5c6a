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
#include "ingest/rpc.h"
#include "ingest/stitch.h"
#include "ingest/unit.h"
#include "model/case/step.h"

enum record_kind {
    RECORD_MESSAGE,     /* one JSON-RPC message, taken apart in `rpc` */
    RECORD_PROMPT,      /* of the user or the system */
    RECORD_ASSISTANT,   /* text of the model */
    RECORD_CALL,        /* a tool call in a transcript */
    RECORD_RESULT,      /* its result */
    RECORD_DEFINITIONS, /* an array of tool definitions known to the host */
    RECORD_RESET,       /* the context was cleared; compaction when `compaction` */
    RECORD_START,       /* a connection (or process) started: ids begin anew */
    RECORD_STDERR,      /* the server's stderr: kept as an event, brings nothing into a context */
    RECORD_OTHER,       /* an event worth keeping that is no step */
};

/* What the log says of whether a call was to be made. */
enum decision {
    DECISION_NONE,     /* it doesn't say */
    DECISION_APPROVED, /* a person who was asked let it be made */
    DECISION_REFUSED,  /* a person, or a rule of the host, stopped it */
};

enum direction { DIRECTION_UNKNOWN, CLIENT_TO_SERVER, SERVER_TO_CLIENT };

/*
 * What one unit, or a part of one, says. Spans of data lie inside unit.text or
 * in the outlet's arena. The bytes that a record rests on are given by
 * `payload` (inside unit.text) and `recipe` (from those bytes to the text); the
 * text itself is `text` where a recipe is needed, else the payload.
 */
struct record {
    enum record_kind kind;
    struct span payload; /* inside unit.text: message, arguments, result content, text */
    const char *recipe;  /* from payload's bytes to its text; NULL: as they are */
    struct span text;    /* the payload's text where `recipe` is set; else empty */
    /* Where it is set, the payload is no part of unit.text, but lives in the outlet's arena: its
     * bytes stand in pieces over the source, from byte `stitch_at` of the stitch. */
    const struct stitch *stitch;
    uint64_t stitch_at;
    /* Where one unit holds many things (a file that is one document), the part of its text that
     * this record is of; and, counted by outlet_count_lines, the lines in front of that. */
    struct span within;
    uint64_t lines_before;
    struct rpc rpc; /* RECORD_MESSAGE; its spans lie in the text */
    int64_t time_ns;
    int time_digits; /* -1: none recorded */
    enum direction direction;
    struct span server; /* name; empty: unknown, or the host's own tool */
    struct span
        started_as; /* RECORD_START: name in the command, for a server that gives itself none */
    struct span
        connection;      /* key that tells connections of one server apart (pid, Mcp-Session-Id) */
    struct span session; /* the log's id of the session; empty: none */
    struct span host;    /* agent program and version */
    struct span agent;   /* id of a sub-agent inside the session; empty: the main one */
    struct span parent_call; /* call id in the main context that started that sub-agent */
    struct span child;       /* RECORD_RESULT: id of the sub-agent that this call ran */
    struct span tool;        /* RECORD_CALL; RECORD_RESULT where it is said there */
    struct span
        side_file; /* RECORD_RESULT: it is the text of this file, which another result names */
    struct span call_id;    /* RECORD_CALL, RECORD_RESULT; empty: pair by order */
    struct span rpc_type;   /* its type in words of the format */
    enum decision decision; /* about the call of call_id, with whatever record */
    uint32_t node;          /* place in the conversation's tree; 0: none. See reader.abandoned */
    bool is_error, refused, system, compaction;
    bool server_side; /* what the server sent, where the log holds what was shown as well */
    bool truncated, redacted;
    bool abandoned; /* off the main path (an undone fork), where known at once */
};

/*
 * Where a reader puts what it found in a unit: records, else noise, else bad.
 * A record may come with bad parts (a frame with stderr spliced in): the
 * unit's bytes count as what it mainly is, less the parts.
 */
struct outlet;
struct record *outlet_record(struct outlet *out,
                             enum record_kind kind); /* zeroed, time_digits -1 */
void outlet_noise(struct outlet *out, const char *kind) ATTR_NONNULL;
/* `bytes` of the unit are noise although the rest is not. */
void outlet_noise_part(struct outlet *out, const char *kind, size_t bytes) ATTR_NONNULL;
/* Unreadable at `offset` in the unit: becomes a diagnostic; the unit's bytes are kept. */
void outlet_bad(struct outlet *out, size_t offset, const char *what) ATTR_NONNULL;
/* The same for `length` bytes from `offset` only, the rest of the unit being fine. */
void outlet_bad_part(struct outlet *out, size_t offset, size_t length,
                     const char *what) ATTR_NONNULL;
/*
 * Bytes of this unit of which it shows later what they are: packets of a message that is not whole
 * yet. They are settled, by this unit or one that follows, as an event's (NULL, NULL), noise of a
 * kind, or unreadable, for the reason `what` ("": has been said).
 */
void outlet_hold(struct outlet *out, uint64_t bytes) ATTR_NONNULL;
void outlet_settle(struct outlet *out, const char *noise, const char *what, uint64_t offset,
                   uint64_t bytes);
struct arena *outlet_arena(struct outlet *out); /* lives until the unit is done */

struct probe {
    struct span head; /* the first bytes: all, or some hundred kilobytes */
    struct span path; /* file name, for the few formats that need it */
    bool whole;       /* head is the whole file */
    int confidence;   /* 0–100, set by the reader */
    char reason[256];
};

struct reader {
    const char *name;          /* "jsonrpc-lines": for --format */
    const char *title;         /* "JSON-RPC messages, one a line" */
    const char *where;         /* how to come by such a log, where no place is usual; or NULL */
    const char *const *places; /* usual ones on this system, NULL-terminated (places.h); or NULL */
    const char *const *cannot_show; /* NULL-terminated: what this format does not hold */
    enum framing framing;
    const char *
        elements; /* FRAME_ELEMENTS: path of names to the array, "log/entries"; "" the top itself */
    bool transcript; /* written by the agent's program; else a recording of the wire */
    void (*probe)(struct probe *probe);
    void *(*open)(struct span path); /* may be NULL: no state */
    void (*read)(void *state, const struct unit *unit, struct outlet *out);
    /* After the last unit: what was held. `unit` is empty and stands at the source's end. May be
     * NULL. */
    void (*end)(void *state, const struct unit *unit, struct outlet *out);
    /* After the last unit: is that node off the path that the conversation took? May be NULL. */
    bool (*abandoned)(void *state, uint32_t node);
    void (*close)(void *state);
};

/* The table of readers; entries live as long as the program. NULL where none has that name. */
const struct reader *reader_find(struct span name);
size_t reader_count(void);
const struct reader *reader_at(size_t index);
/* The best reader for these first bytes; never NULL: the fallback scan takes anything. */
const struct reader *reader_detect(struct span head, struct span path, bool whole,
                                   struct probe *best);

#endif
