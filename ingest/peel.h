/*
 * What others put around a log: the prefixes of docker compose, of Kubernetes and
 * of the journal, tail's headers between files, the fences of Markdown, quotation
 * marks, a terminal that breaks lines at its width. They are taken off in
 * layers, as found, so that the reader sees the log as it was written; each
 * byte keeps its place in the file (struct stitch).
 */
#ifndef STRANDLINE_INGEST_PEEL_H
#define STRANDLINE_INGEST_PEEL_H

#include "ingest/reader.h"

enum { PEEL_DEPTH = 4 };

enum peel_kind {
    PEEL_COMPOSE, /* "name-1  | text", with colours */
    PEEL_POD,     /* "[pod/name/container] text" */
    PEEL_CRI,     /* "TIME stdout F text" */
    PEEL_DOCKER,  /* {"log":"text\n","stream":"stdout","time":"…"}: the text stays a literal */
    PEEL_JOURNAL, /* "TIME host unit[pid]: text" */
    PEEL_TAIL,    /* "==> file <==" between the lines of several files */
    PEEL_FENCES,  /* Markdown */
    PEEL_QUOTES,  /* "> text" */
    PEEL_WRAP,    /* lines broken at a width */
    PEEL_KINDS
};

/* Which layers a file has, from the outside in. */
struct peel_plan {
    enum peel_kind layers[PEEL_DEPTH];
    size_t count;
    size_t width; /* of PEEL_WRAP, in characters */
};

/*
 * As reader_detect, and looks under layers where the bytes are not readable, or
 * less, as they are. The layers are named in best->reason.
 */
const struct reader *peel_detect(struct span head, struct span path, bool whole, struct probe *best,
                                 struct peel_plan *plan);
/* The layers of a file whose reader is given. */
void peel_plan_for(const struct reader *reader, struct span head, struct span path, bool whole,
                   struct peel_plan *plan);

/* ---- the layers taken off ---- */

struct peel;

/* Of the layers of the plan, for what the reader is to get. Never NULL; the caller's. */
struct peel *peel_create(const struct peel_plan *plan, const struct reader *reader);
void peel_destroy(struct peel *p); /* NULL is fine */
/* A line of the file. Returns how many of its bytes were taken off, and sets of what kind of noise
 * they are; the others come out in units. */
uint64_t peel_put(struct peel *p, const struct unit *line, const char **noise);
/*
 * The same of a line whose text was decoded (UTF-16): its bytes are no pieces of the file, so that
 * lines in parts stay parts. `inside` becomes the line without its layers; false where all of it is
 * the layers'. Its records are placed by the line itself.
 */
bool peel_decoded(struct peel *p, const struct unit *line, struct unit *inside, const char **noise,
                  uint64_t *taken);
void peel_end(struct peel *p); /* no line will come any more */
/* The next unit for the reader; false where more lines are needed. */
bool peel_next(struct peel *p, struct unit *unit);
/* After the reader has read that unit: its records get the places of their bytes in the file, and
 * what the layers said of time, stream and container. */
void peel_place(struct peel *p, const struct unit *unit, struct outlet *out);
/* What holds the text inside, for its bounds. */
const struct framer *peel_framer(const struct peel *p);
/* Where byte `at` of the unit's text stands in the file. */
uint64_t peel_offset(const struct peel *p, const struct unit *unit, size_t at);

#endif
