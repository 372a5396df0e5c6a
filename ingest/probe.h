/*
 * What the readers' probes share: the first readable records vote. Nothing is
 * decided on line one, since many logs start with lines of another kind.
 */
#ifndef STRANDLINE_INGEST_PROBE_H
#define STRANDLINE_INGEST_PROBE_H

#include "ingest/reader.h"

enum { PROBE_RECORDS = 50 };

struct vote {
    unsigned seen, matched; /* lines with something on them; those that the function took */
};

/* The first lines of the head, blank ones left out, put to `match`. */
struct vote probe_lines(const struct probe *p, bool (*match)(struct span line));
/* The same for JSON values that stand back to back. */
struct vote probe_values(const struct probe *p, bool (*match)(struct span value));
/* Confidence from a vote: `best` where all matched, less where fewer did, 0 where none. The reason
 * is written as "12 of 50 records WHAT". */
void probe_count(struct probe *p, struct vote vote, int best, const char *what);
void probe_say(struct probe *p, int confidence, const char *format, ...) ATTR_PRINTF(3, 4);

/* The head is one JSON document: the value of a member of its top object, also where the head ends
 * before the document does. Names as written. */
bool probe_member(const struct probe *p, const char *name, struct span *value);
/* Is the first thing in the head `byte`? */
bool probe_begins(const struct probe *p, char byte);
/* Does the text of a JSON object have members of all these names? NULL-terminated. */
bool object_has(struct span object, const char *const *names);

#endif
