/*
 * What the assembler writes into a case: plain rows. The strings in a row are
 * borrowed for the call. Every function is one INSERT or UPDATE, inside the
 * transaction of the source being imported.
 */
#ifndef STRANDLINE_MODEL_CASE_STORE_H
#define STRANDLINE_MODEL_CASE_STORE_H

#include "model/case/case.h"
#include "model/case/step.h"

struct session_row {
    struct span key;  /* the log's own id of the session; empty where it has none */
    struct span name; /* what to call it: given with --session, or from file or folder */
    struct span host; /* the agent program: "claude-code 2.1.114"; empty: not recorded */
    int64_t parent;   /* session of which this is a sub-agent; 0: none */
};

struct connection_row {
    int64_t session, server, source;
    int64_t epoch; /* 1, 2, … per server of a session */
    struct span protocol_version, client_name, client_version, server_name, server_version;
};

/* Flags of events and steps. */
enum {
    ROW_TRUNCATED = 1, /* cut by the recorder */
    ROW_REDACTED = 2,  /* redacted, by the recorder or in this copy */
    ROW_SIDECHAIN = 4, /* off the main path of the conversation (an abandoned fork) */
    ROW_APPROVED = 16, /* of a call: a person who was asked let it be made, as the log tells */
    ROW_SHOWN = 8,     /* a host transcript: what the model was shown */
};

struct event_row {
    int64_t session, connection; /* 0: none */
    struct extent at;            /* the message */
    uint64_t line;               /* 1-based line it starts on; 0 in binary formats */
    int64_t time_ns;             /* UTC, epoch; valid where time_digits >= 0 */
    int time_digits;             /* fraction digits in the source; -1: no time recorded */
    const char *direction;       /* "c2s", "s2c", or NULL: unknown */
    const char *kind;   /* request, response, error, notification, message, stderr, http, other */
    struct span method; /* JSON-RPC method, or the transcript's type */
    struct span rpc_id; /* raw JSON text of the id; empty: none */
    int64_t pair;       /* the request's event, of a response; 0: none */
    unsigned flags;
};

struct step_row {
    int64_t session, event, server, connection; /* server, connection 0: none */
    enum step_kind kind;
    struct span tool;   /* tool, resource URI, prompt name, method… */
    int64_t call;       /* of a result: the step of its call; 0: unknown */
    int64_t definition; /* of a call: the definition in force; 0: none seen */
    int64_t child;      /* session of the sub-agent that this call ran; 0: none */
    struct extent body; /* arguments, result, text: what enters the context or leaves; in the
                           event's source */
    int64_t time_ns;
    int time_digits;
    bool is_error;
    unsigned flags;
};

struct definition_row {
    int64_t step, connection, server;
    struct span tool;
    struct extent at;
    uint8_t digest[32]; /* SHA-256 of its JCS form; all zero: not canonicalizable */
    struct hints hints;
};

struct claim_row {
    int64_t step;
    int block;               /* index of the content block; -1: the result itself */
    const char *shape;       /* trust, ifc, ifc_labels, sep1913 */
    struct span name;        /* untrusted, sensitive, integrity, confidentiality, a JSONPath… */
    struct span value;       /* raw JSON, at most CLAIM_VALUE_MAX bytes, else empty */
    struct span pointer;     /* where in the body */
    const char *problem;     /* NULL, or why it is malformed */
    uint64_t offset, length; /* of the value inside the body's text */
};
enum { CLAIM_VALUE_MAX = 65536 };

struct evidence_row {
    int64_t step;
    int block;
    /* An absent member has at == NULL; one that is not a string keeps its raw JSON and *_bad. */
    struct span type, digest, canonicalization, schema, schema_version, ref;
    unsigned bad;    /* bit i: member i (in the order above) is not a string */
    struct span raw; /* the whole evidenceRef, raw JSON (bounded as claims are) */
    struct span pointer;
};

struct diagnostic_row {
    int64_t source;
    uint64_t line, offset, length;
    const char *code; /* of the PR family */
    struct span what;
};

/*
 * Names (of tools, methods, servers, members; ids, pointers) longer than this are kept cut, with a
 * digest of the whole at the end, so that two of them stay two.
 */
enum { STORE_NAME_MAX = 4096 };

/* Each gives the new row's id, or 0 with err filled. */
int64_t store_session(struct case_file *c, const struct session_row *row, struct err *err);
int64_t store_server(struct case_file *c, struct span name, struct err *err); /* finds or adds */
int64_t store_connection(struct case_file *c, const struct connection_row *row, struct err *err);
int64_t store_event(struct case_file *c, const struct event_row *row, struct err *err);
int64_t store_step(struct case_file *c, const struct step_row *row, struct err *err);
int64_t store_definition(struct case_file *c, const struct definition_row *row, struct err *err);
bool store_claim(struct case_file *c, const struct claim_row *row, struct err *err);
int64_t store_evidence_ref(struct case_file *c, const struct evidence_row *row, struct err *err);
int64_t store_record(struct case_file *c, const struct extent *at, struct span name,
                     const char *encoding, struct err *err);
bool store_diagnostic(struct case_file *c, const struct diagnostic_row *row, struct err *err);
/* What is to be added to the source's times; before its steps are numbered. */
bool store_clock(struct case_file *c, int64_t source, int64_t offset_ns, struct err *err);
/* A source that was read wrongly, and all that was made of it, goes: it is to be read anew. Refused
 * where other sources' steps rest on it, or notes do. */
bool store_forget_source(struct case_file *c, int64_t source, struct err *err);
/* What is known of a source's last line, where it had no end: the diagnostics (that it can't be
 * read, that the reading ended) from `offset` on are taken back. */
bool store_forget_end(struct case_file *c, int64_t source, uint64_t offset, struct err *err);
/* Adds to the account of a source (less than nothing is taken away): kind is event, noise,
 * diagnostic or blank; detail the kind of noise ("progress"), else "". */
bool store_account(struct case_file *c, int64_t source, const char *kind, struct span detail,
                   uint64_t units, uint64_t bytes, struct err *err);
/* All that is in one session goes into another, behind what that has, and the first is no more. The
 * steps are to be numbered anew. */
bool store_join_sessions(struct case_file *c, int64_t from, int64_t into, struct err *err);
/* The log of that source, with what answers it in another one, becomes a session of its own, which
 * is returned; 0 is an error. The rest is to be numbered, where there is any: else it is gone. */
int64_t store_split_session(struct case_file *c, int64_t session, int64_t source, struct err *err);
/* The step, and the message that it is made of, are another session's, in which they come last.
 * Both sessions are to be numbered. */
bool store_move_step(struct case_file *c, int64_t step, int64_t session, struct err *err);
bool store_session_source(struct case_file *c, int64_t session, int64_t source, struct err *err);

/* What was learnt of a connection after it was stored. */
bool store_connection_info(struct case_file *c, int64_t connection,
                           const struct connection_row *row, struct err *err);
/* Every step of the connection, none of which is before `first_step`, is that server's. */
bool store_steps_server(struct case_file *c, int64_t connection, int64_t first_step, int64_t server,
                        struct err *err);
/* A call is unanswered until this says otherwise. */
bool store_outcome(struct case_file *c, int64_t call_step, enum outcome outcome, struct err *err);
bool store_child(struct case_file *c, int64_t call_step, int64_t child_session, struct err *err);
/* Sets and clears flags of a step: that it was left by a fork is known at the end of its log only,
 * and changes when the log grows. */
bool store_step_flags(struct case_file *c, int64_t step, unsigned set, unsigned clear,
                      struct err *err);
/* A second recording of the same step. */
bool store_step_source(struct case_file *c, int64_t step, int64_t event, const struct extent *body,
                       struct err *err);
/*
 * Numbers the steps of a session 1, 2, … : by time where every source of it
 * has times (clock offsets applied), else source after source; by position
 * inside one source always (in the order in which its steps were stored).
 * Drops what was derived from the session. Call before commit.
 */
bool store_number_steps(struct case_file *c, int64_t session, struct err *err);
/* After numbers were given anew, or rows were taken back (db_back_to_mark, db_rollback): what is
 * remembered of them, and of the bytes of their sources, is forgotten. */
void store_forget_tails(struct case_file *c);
/* Drops every replay and every verdict on evidence: what they rest on has changed. store_record
 * does it by itself. */
bool store_drop_derived(struct case_file *c, struct err *err);

#endif
