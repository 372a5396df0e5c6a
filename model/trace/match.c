#include <stdlib.h>

#include "base/attr.h"
#include "model/trace/fold.h"
#include "model/trace/keep.h"
#include "model/trace/token.h"

enum {
    MATCH_OVER = 16, /* how far a run is followed into what another hit has already */
    MATCH_PART = 6,  /* folded bytes that must be left of a run beside that */
};

/* ---- hits ---- */

static bool hit_push(struct hit_list *hits, const struct trace_hit *hit)
{
    if (hits->count >= TRACE_HITS) {
        hits->capped = true;
        return false;
    }
    hits->items = mem_one_more(hits->items, hits->count, &hits->size, sizeof *hits->items);
    hits->items[hits->count++] = *hit;
    return true;
}

static int match_by_place(const void *a, const void *b)
{
    const struct trace_hit *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

void hits_finish(struct trace *trace, struct hit_list *hits, struct arena *arena,
                 struct trace_found *found)
{
    struct trace_limits limits;
    trace_limits(trace, &limits);
    *found = (struct trace_found){.count = hits->count, .capped = hits->capped || limits.capped};
    found->hits = arena_array(arena, hits->count, sizeof(*hits->items));
    if (hits->count)
        memcpy(found->hits, hits->items, hits->count * sizeof(*hits->items));
    mem_free(hits->items);
}

/* Of two texts that fold to the same: what lies between them? */
static enum trace_how compare(struct trace *trace, struct span source, bool source_json,
                              struct span matched, bool matched_json)
{
    if (span_equal(source, matched) && source_json == matched_json)
        return TRACE_EXACT;
    struct buf *a = &trace->scratch[0], *b = &trace->scratch[1];
    enum trace_how how = TRACE_FOLDED;
    for (size_t level = 0; level < 3 && how == TRACE_FOLDED; level++) {
        /* Level 0: as the strings read; then one of the two as JSON inside a string. */
        buf_clear(a);
        buf_clear(b);
        if (source_json)
            fold_unescape(a, source);
        else
            buf_add(a, source);
        if (matched_json)
            fold_unescape(b, matched);
        else
            buf_add(b, matched);
        struct buf *again = level == 1 ? a : b;
        struct span once = level ? buf_span(again) : SPAN_EMPTY;
        if (level && span_find_byte(once, '\\') == once.len)
            continue;
        if (level) {
            size_t begin = again->len;
            buf_reserve(again, begin);
            fold_unescape(again, (struct span){again->at, begin});
            memmove(again->at, again->at + begin, again->len - begin);
            again->len -= begin;
        }
        if (span_equal(buf_span(a), buf_span(b)))
            how = level ? TRACE_ESCAPE : TRACE_EXACT;
    }
    return how;
}

/* Steps that have the same text: what is everywhere says little. */
struct match_steps {
    int64_t seen[2 * INDEX_SAME];
    size_t count;
};

static void steps_note(struct match_steps *steps, int64_t n)
{
    for (size_t i = 0; i < steps->count; i++)
        if (steps->seen[i] == n)
            return;
    if (steps->count < COUNT_OF(steps->seen))
        steps->seen[steps->count++] = n;
}

/* A hit on `source` [begin, end) of a kept text, in the terms of the text as it was added. */
static struct trace_hit hit_on(const struct kept *kept, size_t begin, size_t end)
{
    struct trace_hit hit = {
        .n = kept->said.n,
        .source = kept->said.source,
        .tag = kept->said.tag,
        .offset = begin,
        .length = end - begin,
        .how = kept->run.how,
    };
    if (kept->run.how == TRACE_PERCENT) {
        hit.offset = kept->run.at;
        hit.length = kept->run.len;
    } else if (kept->run.how != TRACE_EXACT) {
        hit.offset = decode_place(SPAN_EMPTY, &kept->run, begin, false);
        hit.length = decode_place(SPAN_EMPTY, &kept->run, end, true) - hit.offset;
    }
    return hit;
}

/* ---- runs ---- */

/* How far a run goes to one side of its anchor: in all, and without what others own. */
struct side {
    size_t full, part; /* folded bytes */
    size_t place;      /* in the source, where `part` ends */
};

static struct side forward(struct trace *trace, struct span source, size_t s,
                           const struct subject *subject, size_t i)
{
    struct side side = {.place = s};
    size_t begin = i, blanks = 0;
    while (i < subject->count && blanks < KEEP_BLANKS) {
        struct unit unit = fold_next(source, s);
        trace->work++;
        if (unit.len == 0 || !unit_equals(&unit, subject->folded + i, subject->count - i))
            break;
        blanks = unit.count ? 0 : blanks + 1;
        s += unit.len;
        if (unit.count == 0)
            continue;
        bool over = side.full > side.part;
        if (subject->owned[i] != over && (over || side.full == 0))
            break;
        i += unit.count;
        side.full = i - begin;
        if (!over && !subject->owned[i - unit.count]) {
            side.part = side.full;
            side.place = s;
        } else if (side.full - side.part >= MATCH_OVER) {
            break;
        }
    }
    return side;
}

static struct side backward(struct trace *trace, struct span source, size_t s,
                            const struct subject *subject, size_t i)
{
    struct side side = {.place = s};
    size_t begin = i, blanks = 0;
    while (i > 0 && blanks < KEEP_BLANKS) {
        struct unit unit = fold_before(source, s);
        trace->work++;
        if (unit.len == 0 || unit.count > i ||
            !unit_equals(&unit, subject->folded + i - unit.count, unit.count))
            break;
        blanks = unit.count ? 0 : blanks + 1;
        s -= unit.len;
        if (unit.count == 0)
            continue;
        bool over = side.full > side.part;
        if (over && !subject->owned[i - 1])
            break;
        i -= unit.count;
        side.full = begin - i;
        if (!over && !subject->owned[i]) {
            side.part = side.full;
            side.place = s;
        } else if (side.full - side.part >= MATCH_OVER) {
            break;
        }
    }
    return side;
}

struct match_run {
    const struct kept *kept;
    size_t begin, end;               /* in the folded subject */
    size_t source_begin, source_end; /* in the kept text */
};

/* The run around a meeting. */
static bool run_around(struct trace *trace, const struct kept_list *list,
                       const struct subject *subject, const struct meeting *meeting, int class,
                       struct match_run *run)
{
    size_t q = meeting->q, s;
    const struct kept *kept = keep_at(list, meeting->place, &s);
    if (!kept || trace_class_of(kept->said.source) != class)
        return false;
    struct span source = kept->said.text;
    /* The anchor is the first free byte of the gram; what is before it must be equal too. */
    size_t anchor = q;
    while (anchor < q + TRACE_GRAM && subject->owned[anchor]) {
        struct unit unit = fold_next(source, s);
        if (unit.len == 0 || !unit_equals(&unit, subject->folded + anchor, subject->count - anchor))
            return false;
        anchor += unit.count;
        s += unit.len;
        trace->work++;
    }
    if (anchor >= q + TRACE_GRAM)
        return false;
    struct side right = forward(trace, source, s, subject, anchor);
    if (right.part == 0)
        return false;
    struct side left = backward(trace, source, s, subject, anchor);
    *run =
        (struct match_run){kept, anchor - left.part, anchor + right.part, left.place, right.place};
    return left.full + right.full >= TRACE_SPAN && left.part + right.part >= MATCH_PART;
}

static void push_run(struct trace *trace, struct span text, unsigned flags, struct subject *subject,
                     const struct match_run *run, enum trace_shape shape, size_t steps,
                     struct hit_list *hits)
{
    struct trace_hit hit = hit_on(run->kept, run->source_begin, run->source_end);
    size_t len = run->end - run->begin;
    hit.at = subject->from[run->begin];
    hit.len = subject_end(subject, run->end - 1) - hit.at;
    hit.shape = shape;
    hit.weight = (len < 64 ? 0.35 + 0.65 * (double)len / 64 : 1.0) / (0.75 + 0.25 * (double)steps);
    if (hit.how == TRACE_EXACT)
        hit.how = compare(trace, span_sub(run->kept->said.text, hit.offset, hit.length),
                          run->kept->said.flags & TRACE_IS_JSON, span_sub(text, hit.at, hit.len),
                          flags & TRACE_IS_JSON);
    if (hit_push(hits, &hit))
        memset(subject->owned + run->begin, true, len);
}

/* Of two runs of one class. */
static bool is_earlier(const struct match_run *a, const struct match_run *b)
{
    return a->kept->base + a->source_begin < b->kept->base + b->source_begin;
}

/* The longest run of that class, of equals the earliest. *steps: how many steps have one; what is
 * everywhere says little. */
static bool best_run(struct trace *trace, const struct kept_list *list,
                     const struct subject *subject, int class, const struct meeting *meetings,
                     size_t count, struct match_run *best, size_t *steps)
{
    struct match_steps all = {0};
    struct match_run run;
    *best = (struct match_run){0};
    for (size_t i = 0; i < count; i++) {
        if (!run_around(trace, list, subject, &meetings[i], class, &run))
            continue;
        size_t len = run.end - run.begin, most = best->end - best->begin;
        steps_note(&all, run.kept->said.n);
        if (len > most || (len == most && is_earlier(&run, best)))
            *best = run;
    }
    trace->work += count + 1;
    *steps = all.count;
    return best->kept;
}

/* Did the model itself say all of it before it came in? Then that is where it is from. */
static void prefer_own(struct trace *trace, const struct kept_list *list,
                       const struct subject *subject, const struct meeting *meetings, size_t count,
                       struct match_run *best)
{
    struct match_run run;
    for (size_t i = 0; i < count; i++)
        if (run_around(trace, list, subject, &meetings[i], CLASS_OWN, &run) &&
            run.kept->said.n < best->kept->said.n && run.begin <= best->begin &&
            run.end >= best->end)
            *best = run;
}

/* The best run of that class around the gram of the first meetings, where there is one: a run that
 * begins at it is met within TRACE_STRIDE of it, each source at a phase of its own. */
static void take_run(struct trace *trace, const struct kept_list *list, struct span text,
                     unsigned flags, struct subject *subject, const struct meeting *meetings,
                     size_t count, int class, struct hit_list *hits)
{
    struct match_run best;
    size_t steps, first = 0, q = meetings[0].q;
    while (first < count && meetings[first].q == q)
        first++;
    if (!best_run(trace, list, subject, class, meetings, first, &best, &steps))
        return;
    while (first < count && meetings[first].q < q + TRACE_STRIDE)
        first++;
    best_run(trace, list, subject, class, meetings, first, &best, &steps);
    if (class == CLASS_CONTENT)
        prefer_own(trace, list, subject, meetings, first, &best);
    push_run(trace, text, flags, subject, &best, TRACE_RUN, steps, hits);
}

static void own_push(struct subject *subject, size_t q)
{
    subject->own =
        mem_one_more(subject->own, subject->own_count, &subject->own_size, sizeof *subject->own);
    subject->own[subject->own_count++] = (uint32_t)q;
}

/* Who has a run around the meetings of one gram: bits, by class. */
static unsigned classes_of(struct trace *trace, const struct kept_list *list,
                           const struct subject *subject, const struct meeting *meetings,
                           size_t count)
{
    unsigned classes = 0;
    for (size_t i = 0, s; i < count; i++) {
        const struct kept *kept = NULL;
        if (subject_may_run(trace, list, subject, &meetings[i]))
            kept = keep_at(list, meetings[i].place, &s);
        if (kept)
            classes |= 1u << trace_class_of(kept->said.source);
    }
    return classes;
}

/* Runs of that class, from front to end: what is inside one of them is not looked up again. Grams
 * that the model's own words have are left for later. */
static void find_runs(struct trace *trace, const struct kept_list *list, struct span text,
                      unsigned flags, struct subject *subject, int class, struct hit_list *hits)
{
    struct meeting meetings[SUBJECT_BLOCK * INDEX_SAME];
    bool more = list->next > 0;
    for (size_t next = 0; more && !hits->capped;) {
        size_t begin = next,
               count = subject_meet(trace, list, subject, &next, SUBJECT_BLOCK, meetings);
        more = next + TRACE_GRAM <= subject->count;
        for (size_t i = 0, end; i < count && !hits->capped; i = end) {
            size_t q = meetings[i].q;
            for (end = i; end < count && meetings[end].q == q;)
                end++;
            if (!subject_has_free(subject, q))
                continue;
            unsigned classes = classes_of(trace, list, subject, meetings + i, end - i);
            if (classes & 1u << class && more && q > begin && next < q + TRACE_STRIDE) {
                next = q; /* its run may be met behind the block */
                break;
            }
            if (classes & 1u << CLASS_OWN)
                own_push(subject, q);
            if (classes & 1u << class)
                take_run(trace, list, text, flags, subject, meetings + i, count - i, class, hits);
        }
    }
}

static void find_own_runs(struct trace *trace, struct span text, unsigned flags,
                          struct subject *subject, struct hit_list *hits)
{
    struct meeting meetings[SUBJECT_BLOCK * INDEX_SAME];
    for (size_t i = 0; i < subject->own_count && !hits->capped; i++) {
        size_t next = subject->own[i];
        if (!subject_has_free(subject, next))
            continue;
        size_t count = subject_meet(trace, &trace->recent, subject, &next, TRACE_STRIDE, meetings);
        take_run(trace, &trace->recent, text, flags, subject, meetings, count, CLASS_OWN, hits);
    }
    subject->own_count = 0;
}

/* ---- tokens and words ---- */

/* Does the kept text have this token at s, as a whole? */
static bool same_token(struct span source, size_t s, struct span token)
{
    if (token.len > source.len - s)
        return false;
    for (size_t i = 0; i < token.len; i++)
        if (fold_table[(uint8_t)source.at[s + i]] != fold_table[(uint8_t)token.at[i]])
            return false;
    return token_stands_alone(source, s, token.len);
}

static double token_weight(const struct token *token, enum trace_shape shape, size_t steps)
{
    double base = shape == TRACE_WORDS ? 0.1 : 0.4;
    double most = shape == TRACE_WORDS ? 0.3 : 0.9;
    double weight = base + (double)token->len / 40;
    return (weight < most ? weight : most) / (0.5 + 0.5 * (double)steps);
}

static bool find_token(struct trace *trace, struct span text, struct subject *subject,
                       const struct token *token, enum trace_shape shape, struct hit_list *hits)
{
    const struct kept_list *const lists[] = {&trace->prompts, &trace->recent};
    struct span written = span_sub(text, token->at, token->len);
    struct match_steps steps = {0};
    const struct kept *best = NULL; /* the first to say it: prompts, then all others in order */
    size_t best_at = 0;
    for (size_t list = 0; list < COUNT_OF(lists); list++) {
        uint32_t places[INDEX_SAME];
        size_t count = index_find(&lists[list]->index, token->hash, 0, places);
        for (size_t i = 0, s; i < count; i++) {
            const struct kept *kept = keep_at(lists[list], places[i], &s);
            trace->work += token->len;
            if (!kept || !same_token(kept->said.text, s, written))
                continue;
            steps_note(&steps, kept->said.n);
            if (!best) {
                best = kept;
                best_at = s;
            }
        }
    }
    if (!best)
        return false;
    struct trace_hit hit = hit_on(best, best_at, best_at + token->len);
    if (hit.how == TRACE_EXACT &&
        !span_equal(span_sub(best->said.text, best_at, token->len), written))
        hit.how = TRACE_FOLDED;
    hit.at = token->at;
    hit.len = token->len;
    hit.shape = shape;
    hit.weight = token_weight(token, shape, steps.count);
    if (hit_push(hits, &hit))
        subject_own(subject, token->at, token->len);
    return true;
}

/* What of one token stood before: all of it, else its pieces, else, where asked for, its words. */
static void find_parts(struct trace *trace, struct span text, unsigned flags,
                       struct subject *subject, const struct token *token, struct hit_list *hits)
{
    struct token word, pieces[TOKEN_PIECES];
    if (token->distinctive && subject_is_free(subject, token->at, token->len) &&
        find_token(trace, text, subject, token, TRACE_TOKEN, hits))
        return;
    size_t count = token_pieces(text, token, pieces);
    for (size_t i = 0; i < count; i++)
        if (subject_is_free(subject, pieces[i].at, pieces[i].len))
            find_token(trace, text, subject, &pieces[i], TRACE_TOKEN, hits);
    if (!(flags & TRACE_WANT_WORDS))
        return;
    for (size_t in = token->at; token_word(text, token, &in, &word);)
        if (subject_is_free(subject, word.at, word.len))
            find_token(trace, text, subject, &word, TRACE_WORDS, hits);
}

/* Some at a time, so that the table is not waited for one by one. */
static void find_tokens(struct trace *trace, struct span text, unsigned flags,
                        struct subject *subject, struct hit_list *hits)
{
    enum { BLOCK = 16 };
    struct token tokens[BLOCK];
    for (size_t at = 0, count = BLOCK; count == BLOCK;) {
        for (count = 0; count < BLOCK && token_next(text, &at, &tokens[count]); count++)
            if (tokens[count].distinctive)
                index_expect(&trace->recent.index, tokens[count].hash);
        for (size_t i = 0; i < count; i++)
            find_parts(trace, text, flags, subject, &tokens[i], hits);
    }
}

/* A text too short for a run, and more than one word ("+00 000 0001"), counts as a whole: around
 * its longest word. */
static void find_whole(struct trace *trace, struct span text, unsigned flags,
                       struct subject *subject, struct hit_list *hits)
{
    struct token token, word, longest = {.len = 0};
    if (subject->count < TOKEN_LEAST || subject->count >= TRACE_SPAN ||
        !subject_is_free(subject, 0, text.len))
        return;
    for (size_t at = 0; token_next(text, &at, &token);)
        for (size_t in = token.at; token_word(text, &token, &in, &word);)
            if (word.len > longest.len)
                longest = word;
    if (!longest.len || longest.len == text.len)
        return;
    const struct kept_list *const lists[] = {&trace->prompts, &trace->recent};
    size_t anchor = subject_index(subject, longest.at);
    struct match_run best = {0};
    struct match_steps steps = {0};
    for (size_t list = 0; list < COUNT_OF(lists); list++) {
        uint32_t places[INDEX_SAME];
        size_t count = index_find(&lists[list]->index, longest.hash, 0, places);
        for (size_t i = 0, s; i < count; i++) {
            const struct kept *kept = keep_at(lists[list], places[i], &s);
            if (!kept)
                continue;
            struct side right = forward(trace, kept->said.text, s, subject, anchor);
            struct side left = backward(trace, kept->said.text, s, subject, anchor);
            if (left.part + right.part != subject->count ||
                !token_stands_alone(kept->said.text, left.place, right.place - left.place))
                continue;
            steps_note(&steps, kept->said.n);
            if (!best.kept)
                best = (struct match_run){kept, 0, subject->count, left.place, right.place};
        }
    }
    if (best.kept)
        push_run(trace, text, flags, subject, &best, TRACE_TOKEN, steps.count, hits);
}

/* ---- all of it ---- */

static void match_at(struct trace *trace, struct span text, unsigned flags, size_t depth,
                     struct hit_list *hits);

/* Matches what an encoded run decodes to, and puts the hits where the run's bytes are free. */
static void match_encoded(struct trace *trace, struct span text, unsigned flags,
                          struct subject *subject, const struct encoded *run, struct span decoded,
                          size_t depth, struct hit_list *hits)
{
    struct hit_list inner = {0};
    match_at(trace, decoded, flags & TRACE_WANT_WORDS, depth, &inner);
    for (size_t i = 0; i < inner.count; i++) {
        struct trace_hit hit = inner.items[i];
        size_t begin = decode_place(text, run, hit.at, false);
        size_t end = decode_place(text, run, hit.at + hit.len, true);
        /* A run may overlap what was found as written: the rest of it is new. */
        size_t first = subject_index(subject, begin), last = subject_index(subject, end);
        size_t whole = last - first;
        while (first < last && subject->owned[first])
            first++;
        size_t stop = first;
        while (stop < last && !subject->owned[stop])
            stop++;
        if (stop - first < TRACE_WORD)
            continue;
        hit.at = subject->from[first];
        hit.len = subject_end(subject, stop - 1) - hit.at;
        struct span written = span_sub(text, hit.at, hit.len);
        /* What has no escape in it is as it was found, unless only a part of it is left. */
        bool is_plain = run->how == TRACE_PERCENT && stop - first == whole &&
                        !memchr(written.at, '%', written.len) &&
                        !memchr(written.at, '+', written.len);
        if (!is_plain &&
            (hit.how == TRACE_EXACT || hit.how == TRACE_FOLDED || hit.how == TRACE_ESCAPE))
            hit.how = run->how;
        if (hit_push(hits, &hit))
            memset(subject->owned + first, true, stop - first);
    }
    hits->capped = hits->capped || inner.capped;
    mem_free(inner.items);
}

static void match_decoded(struct trace *trace, struct span text, unsigned flags, size_t depth,
                          struct hit_list *hits)
{
    struct subject *subject = &trace->subjects[depth];
    struct decoder decoder;
    struct encoded run;
    decoder_init(&decoder, text);
    trace->work += text.len;
    for (buf_clear(&subject->decoded); decode_next(&decoder, &run, &subject->decoded);
         buf_clear(&subject->decoded))
        match_encoded(trace, text, flags, subject, &run, buf_span(&subject->decoded), depth + 1,
                      hits);
}

static void match_at(struct trace *trace, struct span text, unsigned flags, size_t depth,
                     struct hit_list *hits)
{
    struct subject *subject = &trace->subjects[depth];
    if (text.len > SUBJECT_MOST) {
        hits->capped = true;
        text.len = SUBJECT_MOST;
    }
    subject_fold(subject, text);
    trace->work += text.len;
    find_runs(trace, &trace->prompts, text, flags, subject, CLASS_PROMPT, hits);
    find_runs(trace, &trace->recent, text, flags, subject, CLASS_CONTENT, hits);
    find_own_runs(trace, text, flags, subject, hits);
    if (depth + 1 < KEEP_NESTING)
        match_decoded(trace, text, flags, depth, hits);
    find_whole(trace, text, flags, subject, hits);
    find_tokens(trace, text, flags, subject, hits);
}

void match_append(struct trace *trace, struct span text, unsigned flags, struct hit_list *hits)
{
    size_t before = hits->count;
    index_flush(&trace->prompts.index);
    index_flush(&trace->recent.index);
    match_at(trace, text, flags, 0, hits);
    if (hits->count > before)
        qsort(hits->items + before, hits->count - before, sizeof(*hits->items), match_by_place);
}

void trace_match(struct trace *trace, struct span text, unsigned flags, struct arena *arena,
                 struct trace_found *found)
{
    struct hit_list hits = {0};
    match_append(trace, text, flags, &hits);
    hits_finish(trace, &hits, arena, found);
}
