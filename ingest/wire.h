/*
 * What readers of wire recordings share: finding JSON-RPC messages in a stretch
 * of a unit — bare, in a batch, in an envelope of a proxy, several in a row,
 * damaged — and making records of them.
 */
#ifndef STRANDLINE_INGEST_WIRE_H
#define STRANDLINE_INGEST_WIRE_H

#include "ingest/outlet.h"
#include "model/case/unpack.h"

/* The prefix of a log line: times, directions and names that stand before the message. */
struct prefix {
    size_t len;             /* bytes up to the message, or the whole line where there is none */
    struct record base;     /* time and direction found */
    bool is_stderr, marked; /* a mark for stderr; any mark or time at all */
};

/* Reads marks off the front of a line: "[ISO] >>> ", "ISO --> ", "c2s: ", "!!! ", "==> name: ". */
struct prefix wire_prefix(struct span line);

/*
 * Makes records of the messages in `text`, which lies inside the unit's text. `base`
 * gives what is known of time, direction and server. Returns false, and adds
 * nothing, where there is no message in it.
 */
bool wire_messages(struct outlet *out, const struct unit *unit, struct span text,
                   const struct record *base);
/*
 * As wire_messages, and where `text` is damaged tries to save what it can: a
 * message with bytes that JSON forbids, one cut short by the recorder or by the
 * end of the file, one with other text spliced around it. What could not be
 * read becomes a bad part. Returns false where nothing could be saved.
 */
bool wire_salvage(struct outlet *out, const struct unit *unit, struct span text,
                  const struct record *base);
/*
 * Messages anywhere in a text of any kind: balanced objects that hold "jsonrpc", and strings whose
 * text is one. What lies between is noise. False, and nothing added, where there is none.
 */
bool wire_inside(struct outlet *out, const struct unit *unit, struct span text,
                 const struct record *base);
/* Of a text with a message inside: id, method and kind from what is there. False where there is no
 * "jsonrpc" in it. */
bool wire_guess(struct span text, struct arena *arena, struct rpc *rpc);

/*
 * The body of an HTTP message in a JSON string (`recipe` "s;", or "s;b;" where it
 * is base64 in there): a message, a batch, or Server-Sent Events. Returns how many
 * messages there were.
 */
size_t wire_body(struct outlet *out, struct span literal, const char *recipe,
                 const struct record *base);

/*
 * The same of a body that stands there as it is, maybe packed (see wire_packing). What
 * can't be unpacked to its end holds no message, since its bytes could not be shown.
 */
size_t wire_raw_body(struct outlet *out, struct span bytes, enum packing packing,
                     const struct record *base);
/* A word of Content-Encoding; what the body begins with tells the two kinds of deflate apart. */
enum packing wire_packing(struct span coding, struct span body);

/* Does the text say that the recorder cut it? */
bool wire_is_cut(struct span text);

/* ---- envelopes ---- */

/* Does this object, which is no message itself, carry one? For probes. */
bool wire_is_envelope(struct span object);
/* Makes records of the message in an envelope object; false where there is none. */
bool wire_envelope(struct outlet *out, const struct unit *unit, struct span object,
                   const struct record *base);
/* A JSON string with a message in its text, a logger's prefix before it; false where there is none.
 */
bool wire_string(struct outlet *out, struct span literal, const struct record *base);
/* A word for a direction: "c2s", "client->server", "outgoing", "request"… */
enum direction wire_direction(struct span word);

#endif
