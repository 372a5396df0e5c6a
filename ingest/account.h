/*
 * The account of a source: every byte of it is an event, noise of some kind,
 * unreadable, or blank. The four add up to its size.
 */
#ifndef STRANDLINE_INGEST_ACCOUNT_H
#define STRANDLINE_INGEST_ACCOUNT_H

#include "ingest/outlet.h"
#include "model/case/store.h"

enum { ACCOUNT_KINDS = 64 };

struct account_line {
    const char *kind, *detail;
    uint64_t units, bytes;
};

struct account {
    struct account_line lines[ACCOUNT_KINDS];
    size_t count;
    uint64_t held; /* bytes of which it has not shown yet what they are */
};

/* Adds a unit, by what the reader said of it. */
void account_unit(struct account *account, const struct unit *unit, const struct outlet *out);
void account_add(struct account *account, const char *kind, const char *detail, uint64_t bytes);
/* At the end of the source: nothing may be held any more; what is was not read. */
void account_end(struct account *account);
/* Less of it; what remains may be less than nothing, where an account that is stored is added to.
 */
void account_subtract(struct account *account, const struct account *other);
bool account_store(const struct account *account, struct case_file *c, int64_t source,
                   struct err *err);

#endif
