#include "model/trace/keep.h"

void winnow_init(struct winnow *w, void (*chosen)(void *arg, uint32_t hash, uint32_t place),
                 void *arg)
{
    w->count = 0;
    w->best = SIZE_MAX;
    w->chosen = chosen;
    w->arg = arg;
}

/* Hashes of all grams in the block; gives how many. */
static size_t hash_grams(const struct winnow *w, uint32_t *hash)
{
    uint64_t gram = 0;
    if (w->count < TRACE_GRAM)
        return 0;
    for (size_t i = 0; i + 1 < TRACE_GRAM; i++)
        gram = gram << 8 | w->folded[i];
    size_t grams = w->count - TRACE_GRAM + 1;
    for (size_t g = 0; g < grams; g++) {
        gram = gram << 8 | w->folded[g + TRACE_GRAM - 1];
        hash[g] = (uint32_t)(((gram ^ gram >> 29) * 0x9e3779b97f4a7c15u) >> 32);
    }
    return grams;
}

/*
 * Of each window the smallest hash. Among equals the one chosen before stays as
 * long as it is in the window ("robust winnowing"), so that a text of one byte
 * gives one fingerprint a window and not one a byte.
 */
void winnow_block(struct winnow *w)
{
    uint32_t hash[WINNOW_BLOCK + WINNOW_TAIL];
    size_t grams = hash_grams(w, hash), best = w->best;
    if (grams < TRACE_WINDOW)
        return;
    size_t g = TRACE_WINDOW - 1;
    if (best == SIZE_MAX) {
        best = 0;
        for (size_t i = 1; i <= g; i++)
            best = hash[i] < hash[best] ? i : best;
        w->chosen(w->arg, hash[best], w->place[best]);
    }
    for (g++; g < grams; g++) {
        if (hash[g] < hash[best]) {
            best = g;
        } else if (best + TRACE_WINDOW <= g) {
            best = g - TRACE_WINDOW + 1;
            for (size_t i = best + 1; i <= g; i++)
                best = hash[i] <= hash[best] ? i : best;
        } else {
            continue;
        }
        w->chosen(w->arg, hash[best], w->place[best]);
    }
    /* The last window stays, since the next byte may end another. */
    size_t keep = TRACE_WINDOW + TRACE_GRAM - 1, drop = w->count - keep;
    memmove(w->folded, w->folded + drop, keep);
    memmove(w->place, w->place + drop, keep * sizeof(*w->place));
    w->count = keep;
    w->best = best - drop;
}
