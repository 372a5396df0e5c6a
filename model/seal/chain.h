/*
 * The chain over the events of a case: each link is the SHA-256 of the link
 * before it, the event's row (row_hash.h) and the SHA-256 of the event's bytes.
 * The last link stands for all of them; the links between, kept beside a seal,
 * tell which event is the first that differs.
 */
#ifndef STRANDLINE_MODEL_SEAL_CHAIN_H
#define STRANDLINE_MODEL_SEAL_CHAIN_H

#include <stdint.h>

#include "model/case/case.h"
#include "model/seal/seal.h"

struct chain_end {
    int64_t events;
    uint8_t last[32];  /* zeroes where there is no event */
    uint8_t links[32]; /* SHA-256 of all links, one behind the other */
};

/* Makes the chain. `keep`: in place of the links that the case holds. */
bool chain_make(struct case_file *c, bool keep, struct chain_end *end, seal_stop stop, void *arg,
                struct err *err);

/*
 * The first event that is not as it was, by the links kept: its place in the
 * chain from 1, and its id (0: it is gone). *place is 0 where they can't tell:
 * the links are not those that were sealed (sealed->links).
 */
bool chain_first_difference(struct case_file *c, const struct chain_end *sealed, int64_t *place,
                            int64_t *event, seal_stop stop, void *arg, struct err *err);

#endif
