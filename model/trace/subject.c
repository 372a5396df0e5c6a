#include "base/attr.h"
#include "model/trace/fold.h"
#include "model/trace/keep.h"

static void subject_reserve(struct subject *subject, size_t size)
{
    if (size <= subject->size)
        return;
    subject->size = size;
    subject->folded = mem_resize(subject->folded, size);
    subject->from = mem_resize(subject->from, size * sizeof(*subject->from));
    subject->owned = mem_resize(subject->owned, size * sizeof(*subject->owned));
}

void subject_fold(struct subject *subject, struct span text)
{
    size_t at = 0;
    /* A unit never folds to more bytes than it has. */
    subject_reserve(subject, text.len + FOLD_MOST);
    subject->text = text;
    subject->count = fold_run(text, &at, subject->folded, subject->from, text.len);
    memset(subject->owned, false, subject->count);
}

size_t subject_end(const struct subject *subject, size_t i)
{
    return subject->from[i] + fold_next(subject->text, subject->from[i]).len;
}

size_t subject_index(const struct subject *subject, size_t at)
{
    size_t low = 0, high = subject->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (subject_end(subject, middle) <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool subject_is_free(const struct subject *subject, size_t at, size_t len)
{
    for (size_t i = subject_index(subject, at); i < subject->count && subject->from[i] < at + len;
         i++)
        if (subject->owned[i])
            return false;
    return true;
}

void subject_own(struct subject *subject, size_t at, size_t len)
{
    for (size_t i = subject_index(subject, at); i < subject->count && subject->from[i] < at + len;
         i++)
        subject->owned[i] = true;
}

/* ---- the grams that are worth a look ---- */

static void gram_push(struct subject *subject, size_t at, uint32_t classes)
{
    subject->grams = mem_one_more(subject->grams, subject->gram_count, &subject->gram_size,
                                  sizeof *subject->grams);
    subject->grams[subject->gram_count++] = (struct gram){(uint32_t)at, classes};
}

enum { SUBJECT_NEAR = TRACE_SPAN * 2 }; /* bytes that mostly fold to TRACE_SPAN */

/* How many folded bytes from a place on, up to TRACE_SPAN, are the subject's from q on. Without
 * escapes, and mostly there are none, all are folded at once. */
static size_t equal_from(struct trace *trace, const struct subject *subject, size_t q,
                         struct span source, size_t s)
{
    uint8_t folded[TRACE_SPAN + FOLD_MOST];
    uint32_t from[COUNT_OF(folded)];
    size_t right = 0, blanks = 0, begin = s, at = 0, left = subject->count - q;
    struct span near = span_sub(source, s, SUBJECT_NEAR);
    bool plain = (s == 0 || source.at[s - 1] != '\\') && span_find_byte(near, '\\') == near.len;
    if (plain && left >= TRACE_SPAN &&
        fold_run(near, &at, folded, from, TRACE_SPAN) == TRACE_SPAN) {
        trace->work += at + 1;
        while (right < TRACE_SPAN && folded[right] == subject->folded[q + right])
            right++;
        return right;
    }
    for (struct unit unit; right < TRACE_SPAN && blanks < KEEP_BLANKS; s += unit.len) {
        unit = fold_next(source, s);
        if (!unit.len || !unit_equals(&unit, subject->folded + q + right, left - right))
            break;
        right += unit.count;
        blanks = unit.count ? 0 : blanks + 1;
    }
    trace->work += s - begin + 1;
    return right;
}

/* Is there a run around a meeting? Where other texts lie beside the one that is met: may be. What
 * is asked most often, and mostly answered with no. */
static bool may_be_run(struct trace *trace, const struct subject *subject, const struct meeting *m)
{
    size_t s, left = 0, blanks = 0;
    struct span source = keep_around(trace, m->place, &s);
    size_t begin = s, right = equal_from(trace, subject, m->q, source, s);
    if (right < TRACE_GRAM)
        return false;
    for (struct unit unit; right + left < TRACE_SPAN && blanks < KEEP_BLANKS; s -= unit.len) {
        unit = fold_before(source, s);
        size_t before = m->q - left;
        if (!unit.len || unit.count > before ||
            !unit_equals(&unit, subject->folded + before - unit.count, unit.count))
            break;
        left += unit.count;
        blanks = unit.count ? 0 : blanks + 1;
    }
    trace->work += begin - s;
    return right + left >= TRACE_SPAN;
}

enum { GRAMS_BLOCK = 64 };

/* Where the grams from first to end are met: lines are asked for, then looked at, then the texts
 * there asked for; gives how many. */
static size_t meet_block(const struct trace *trace, const struct subject *subject, size_t first,
                         size_t end, struct meeting *meetings)
{
    size_t count = 0, left = 0, at;
    uint32_t places[INDEX_FOUND], hashes[GRAMS_BLOCK], may[GRAMS_BLOCK];
    for (size_t q = first; q < end; q++) {
        hashes[q - first] = gram_hash(subject->folded + q);
        index_expect(&trace->index, hashes[q - first]);
    }
    for (size_t i = 0; i < end - first; i++) {
        may[left] = (uint32_t)i;
        left += index_may_have(&trace->index, hashes[i]);
    }
    for (size_t i = 0; i < left; i++) {
        size_t found = index_find(&trace->index, hashes[may[i]], places);
        for (size_t k = 0; k < found; k++)
            meetings[count++] = (struct meeting){first + may[i], places[k]};
    }
    for (size_t i = 0; i < count; i++) { /* often in two lines of the cache */
        struct span around = keep_around(trace, meetings[i].place, &at);
        struct span near = span_sub(around, at, SUBJECT_NEAR);
        __builtin_prefetch(near.at);
        __builtin_prefetch(near.at + near.len);
    }
    return count;
}

/*
 * Most grams that two texts share are in no run that they share: those are
 * sorted out here, once. A block of them at a time, so that neither the table
 * nor the texts are waited for one by one.
 */
void subject_choose(struct trace *trace, struct subject *subject)
{
    struct meeting meetings[GRAMS_BLOCK * INDEX_FOUND];
    size_t grams = subject->count < TRACE_GRAM ? 0 : subject->count - TRACE_GRAM + 1, s;
    subject->gram_count = 0;
    for (size_t first = 0; first < grams; first += GRAMS_BLOCK) {
        size_t end = first + GRAMS_BLOCK < grams ? first + GRAMS_BLOCK : grams;
        size_t count = meet_block(trace, subject, first, end, meetings);
        for (size_t i = 0; i < count;) {
            size_t q = meetings[i].q;
            uint32_t classes = 0;
            for (; i < count && meetings[i].q == q; i++) {
                const struct kept *kept = NULL;
                if (may_be_run(trace, subject, &meetings[i]))
                    kept = keep_at(trace, meetings[i].place, &s);
                if (kept)
                    classes |= 1u << trace_class_of(kept->said.source);
            }
            if (classes)
                gram_push(subject, q, classes);
        }
        trace->work += end - first + count;
    }
}
