/*
 * A text as a model reads it: as it is written, and behind that what else it
 * says to one who decodes what is encoded in it (base64, hex, percent) and does
 * not see what is invisible. Orders hide so.
 */
#ifndef STRANDLINE_MODEL_TRACE_LEGIBLE_H
#define STRANDLINE_MODEL_TRACE_LEGIBLE_H

#include "base/mem.h"
#include "model/trace/decode.h"

struct legible {
    struct span text;
    size_t written; /* so much of it is the text as it is written */
    struct legible_run {
        size_t begin; /* where in `text` what it says begins */
        struct encoded run;
    } * runs; /* in order */
    size_t count;
    size_t bare; /* from here on: the whole without what is invisible; text.len: there is none */
};

/* In the arena where there is anything to add; else `text` is the given one. */
void legible_read(struct span text, struct arena *arena, struct legible *out);
/* How what stands at `at` is written: "base64" …, "invisible characters"; NULL: as it is. Gives the
 * place of that in the written text. */
const char *legible_place(const struct legible *legible, size_t at, size_t *offset, size_t *length);

#endif
