/* What the assembler's files share: assembler.c (sessions, connections, rows), assemble_rpc.c (the
 * protocol), assemble_talk.c (transcripts), assemble_content.c (claims and definitions). */
#ifndef STRANDLINE_INGEST_ASSEMBLER_INTERNAL_H
#define STRANDLINE_INGEST_ASSEMBLER_INTERNAL_H

#include "ingest/assembler.h"
#include "ingest/clock.h"
#include "ingest/merge.h"
#include "ingest/names.h"
#include "ingest/pending.h"
#include "model/evidence/digest.h"
#include "model/evidence/jcs.h"

enum { OPERATIONS = 32 };

/*
 * An operation that the server answered with "input_required": it goes on when
 * the request is sent again with inputResponses, under a new id (2026-07-28).
 */
struct operation {
    int64_t step; /* of its first request; 0: this place is free */
    int method;
    uint64_t state, name; /* hashes; state 0: no requestState */
    uint64_t keys;        /* of the inputs asked for, in any order */
};

struct connection {
    int64_t id, session, server;       /* server 0: not known yet */
    struct span started_as;            /* name in the command, where the recorder gives one */
    struct span said_server, said_key; /* what records say of it */
    bool fresh;                        /* no message yet */
    bool asked, answered; /* a request of the client was seen; an answer to one that was seen */
    bool alien;           /* it begins with an answer to what no half asked */
    int64_t half_of;      /* source with the requests that are answered here; 0: this one */
    int64_t half_begin;   /* its first step */
    bool began;           /* its CONNECTION step is written */
    bool named_by_end;    /* its server: the log ended before it said its name */
    bool named_by_file;   /* its server: nothing else names it */
    int64_t initialize;   /* event of the initialize that waits for its answer; 0: none */
    struct extent initialize_at;
    int64_t initialize_ns;
    int initialize_digits;
    struct pendings *requests; /* of this epoch */
    struct pendings *before;   /* of the epoch before; NULL: none */
    struct pendings *tasks;    /* calls that run as tasks, by the task's id; NULL: none */
    struct operation operations[OPERATIONS];
    size_t next_operation;
};

/*
 * Wire logs don't say which session they belong to. Those of one import that
 * overlap in time are one session: several servers beside one agent. Logs of
 * different groups (folders that were walked) never are.
 */
struct wire_session {
    uint64_t group;
    int64_t id;
    int64_t source; /* a source that the case has, whose times are not looked up yet; else 0 */
    int64_t first_ns, last_ns;
    bool timed;
};

/* What the case has of a source's messages. */
struct wire_told {
    int64_t source, session;
    int64_t first_ns, last_ns;
    bool timed;
};

struct wire_sessions {
    struct wire_session *at; /* of the sources before this one */
    size_t count, size;
    struct wire_told *told; /* in order of sources; looked up once, where it is needed at all */
    size_t told_count, told_size;
    bool asked;
    struct wire_session now; /* of this source; id 0: no record yet */
    size_t joined;           /* index of the one that it joined; SIZE_MAX: one of its own */
};

/* A connection of which a source before this one told the client's half only. */
struct half {
    int64_t session, source, first_step;
    struct connection conn; /* without its strings; requests NULL: there is none */
    bool several;           /* in that session: nobody knows which of them is answered */
};

/* The second half of a connection has come, and calls of the first know no definition yet. */
struct joined {
    int64_t connection, first_step, second_step; /* of either half's source, the first */
};

struct left_node { /* a step of a transcript and its place in the tree */
    uint32_t node;
    int64_t step;
};

struct assembler {
    struct case_file *c;
    struct assembler_options options;
    struct err *err; /* of the call being served */
    struct names sessions, servers, definitions, epochs;
    struct names session_names; /* those in use: the number that was put behind it last, from 1 */
    struct names sides;         /* session and file: the step whose result was moved there */
    struct wire_sessions wires;
    struct half half;
    struct names unnumbered; /* sessions whose steps are not in order yet */
    struct joined *joined;   /* waiting for the same */
    size_t joined_count, joined_size;
    struct names merge_of; /* session: its place in merges + 1 */
    struct merge *merges;  /* what sources before told of sessions */
    size_t merge_count;
    struct jcs *jcs;
    struct hasher *hasher;
    struct buf scratch, key;
    struct arena arena; /* of one record */
    struct assembler_counts counts;

    /* Of the source. */
    int64_t source, file_session; /* file_session: of a transcript without an id */
    struct span path, stem;
    struct arena source_arena;
    const struct reader *reader;
    void *state;
    struct names connections, touched;
    struct connection *conns;
    size_t conn_count, conn_size;
    int64_t last_conn;               /* index; -1: none */
    int64_t first_step;              /* 0: none yet */
    struct pendings *calls;          /* of transcripts */
    uint64_t order_put, order_taken; /* calls without ids */
    struct spill *nodes;             /* left_node */
    struct clock_calls clock;        /* of its calls that are another source's too */
    bool resumed; /* it has been here before: what was left by a fork may be found again */
    struct merge_call retold;       /* what a call was found to be then */
    struct assembler_counts before; /* of the rehearsal */
    uint32_t node;                  /* of the record being taken; 0: none */
    int64_t unit_event;             /* of a transcript's line: its records share it; 0: none yet */
    int64_t unit_event_session;
    const char *unit_event_part; /* of the unit, that it is of; NULL: all of it */
};

/* A record being made into rows, with what every row of it needs. */
struct making {
    const struct unit *unit;
    const struct record *record;
    struct span text; /* the payload's text */
    int64_t session, connection, server, event;
    unsigned flags;
};

/* For tables that are thrown away with the import. */
uint64_t assemble_hash(struct span s);
/* sessions_wire.c: the session of a wire log's record; 0 is an error. */
int64_t wire_session_of(struct assembler *a, const struct record *record);
void wire_session_begin(struct assembler *a, struct span group);
/* A source that the case has stands at this place of the walk. */
void wire_session_known(struct assembler *a, int64_t source, struct span group);
/* The source being read has that session since it was read before. */
bool wire_session_resume(struct assembler *a, int64_t session);
void wire_sessions_finish(struct wire_sessions *w);
/* The source has been read: it may turn out to overlap with another one. */
bool wire_session_end(struct assembler *a);
int64_t assemble_new_session(struct assembler *a, struct span key, struct span name,
                             struct span host, int64_t parent);
int64_t assemble_named_session(struct assembler *a, struct span name, struct span host);
/* Where a part of the record's text stands. The recipe lives in the assembler's arena. */
struct extent assemble_extent(struct assembler *a, const struct making *m, struct span part);
int64_t assemble_server(struct assembler *a, struct span name);
/* The session of a transcript's record, or that of the wire logs. */
int64_t assemble_session(struct assembler *a, const struct record *record);
int64_t assemble_child_session(struct assembler *a, const struct record *record, struct span agent);
/* Fills what can be filled from m. */
struct step_row assemble_step_row(const struct making *m, enum step_kind kind);
int64_t assemble_step(struct assembler *a, const struct step_row *row);
int64_t assemble_event(struct assembler *a, const struct making *m, const char *kind,
                       struct span method, struct span rpc_id, int64_t pair);
/* The call in another source that this is one more recording of; NULL: it is a new one. `arguments`
 * is their text, `body` where they stand in the record's. On an error *ok becomes false. */
struct merge_call *assemble_twin(struct assembler *a, const struct making *m, struct span tool,
                                 struct span arguments, struct span body, bool *ok);
/* Calls that sources before told are loaded anew for the next one. */
void assemble_forget_merges(struct assembler *a);
/* Writes a recording of a step that is there already. */
bool assemble_recording(struct assembler *a, const struct making *m, int64_t step,
                        struct span body);
bool assemble_note(struct assembler *a, const struct making *m, const char *code, const char *what);

/* assemble_content.c */
/* Claims and evidenceRefs in the text of a step's body. */
bool assemble_claims(struct assembler *a, const struct making *m, int64_t step, struct span body);
/* The same of what a request says beside its arguments, in its params. */
bool assemble_request_claims(struct assembler *a, const struct making *m, int64_t step,
                             struct span params);
/* Evidence records that a resource's contents hold. */
bool assemble_records(struct assembler *a, const struct making *m, struct span result);
/* Definitions of a list: `tools` is an array. */
bool assemble_definitions(struct assembler *a, const struct making *m, int64_t step,
                          struct span tools);
int64_t *assemble_definition(struct assembler *a, int64_t server, struct span tool);

/* assemble_connection.c */
struct connection *connection_of(struct assembler *a, const struct record *record, int64_t session);
/* Before a message that makes a step: the server has a name, the connection's own step is written.
 */
bool connection_ready(struct assembler *a, struct connection *conn, struct making *m);
/* Before the event of an initialize: ids begin anew. After it: its answer is waited for. */
bool connection_begin(struct assembler *a, struct connection *conn, struct making *m);
void connection_initialize(struct assembler *a, struct connection *conn, const struct making *m);
/* What a stateless request says of the client (2026-07-28). */
bool connection_asked(struct assembler *a, struct connection *conn, struct span params);
/* What the answer to initialize or server/discover says of the server. */
bool connection_welcomed(struct assembler *a, struct connection *conn, struct making *m,
                         struct span result);
/* A string member's text, or empty. */
struct span assemble_string(struct assembler *a, struct span object, const char *name);

/* assemble_halves.c */
void half_forget(struct assembler *a);
/* The source ends: is it the half of a connection? Then it is kept for the next ones. */
void half_keep(struct assembler *a);
/* Does the record, with the key of its id, answer a request of the half that is kept? */
bool half_fits(const struct assembler *a, const struct connection *conn,
               const struct record *record, struct span id, int64_t session);
/* The connection goes on with that half. */
void half_take(struct assembler *a, struct connection *conn);
/* The source ends: was it the second half of a connection? */
void half_end(struct assembler *a);
/* After steps were numbered: the calls of first halves get their definitions. */
bool half_define(struct assembler *a);

/* assemble_side.c */
bool assemble_side(struct assembler *a, const struct making *m);

/* assemble_rpc.c */
/* Ids are equal when their JSON values are: type and number as written, strings as decoded. */
struct span assemble_id_key(struct assembler *a, struct span id);
bool assemble_message(struct assembler *a, struct making *m);
bool assemble_start(struct assembler *a, struct making *m);
/* What waits for the end of the source: connections that were never answered. */
bool assemble_wire_end(struct assembler *a);

/* assemble_talk.c */
bool assemble_talk(struct assembler *a, struct making *m);

#endif
