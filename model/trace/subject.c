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

/* ---- where its grams are met ---- */

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

/* What is asked most often, and mostly answered with no. */
bool subject_may_run(struct trace *trace, const struct kept_list *list,
                     const struct subject *subject, const struct meeting *m)
{
    size_t s, left = 0, blanks = 0;
    struct span source = keep_around(list, m->place, &s);
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

/* Lines are asked for, then looked at, then the texts there asked for: neither the table nor the
 * texts are waited for one by one. */
size_t subject_meet(struct trace *trace, const struct kept_list *list,
                    const struct subject *subject, size_t *q, size_t most,
                    struct meeting meetings[SUBJECT_BLOCK * INDEX_SAME])
{
    size_t grams = subject->count < TRACE_GRAM ? 0 : subject->count - TRACE_GRAM + 1;
    size_t asked = 0, left = 0, count = 0, at, begin = *q;
    uint32_t places[INDEX_SAME];
    struct {
        uint32_t hash, q;
    } grams_asked[SUBJECT_BLOCK];
    for (; *q < grams && asked < most; ++*q) {
        if (!subject_has_free(subject, *q))
            continue;
        grams_asked[asked].hash = gram_hash(subject->folded + *q);
        grams_asked[asked].q = (uint32_t)*q;
        index_expect(&list->index, grams_asked[asked++].hash);
    }
    for (size_t i = 0; i < asked; i++) {
        grams_asked[left] = grams_asked[i];
        left += index_may_have(&list->index, grams_asked[i].hash);
    }
    for (size_t i = 0; i < left; i++) {
        size_t found =
            index_find(&list->index, grams_asked[i].hash,
                       gram_near(subject->folded, grams_asked[i].q, subject->count), places);
        for (size_t k = 0; k < found; k++)
            meetings[count++] = (struct meeting){grams_asked[i].q, places[k]};
    }
    for (size_t i = 0; i < count; i++) { /* often in two lines of the cache */
        struct span around = keep_around(list, meetings[i].place, &at);
        struct span near = span_sub(around, at, SUBJECT_NEAR);
        __builtin_prefetch(near.at);
        __builtin_prefetch(near.at + near.len);
    }
    trace->work += *q - begin + count;
    return count;
}
