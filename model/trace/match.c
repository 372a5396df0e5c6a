#include <stdlib.h>

#include "base/attr.h"
#include "model/trace/fold.h"
#include "model/trace/keep.h"
#include "model/trace/token.h"

enum {
    MATCH_OVER = 16, /* how far a run is followed into what another hit has already */
    MATCH_PART = 6,  /* folded bytes that must be left of a run beside that */
};

/* ---- the text that is matched ---- */

static void subject_reserve(struct subject *subject, size_t size)
{
    if (size <= subject->size)
        return;
    subject->size = size;
    subject->folded = mem_resize(subject->folded, size);
    subject->from = mem_resize(subject->from, size * sizeof(*subject->from));
    subject->to = mem_resize(subject->to, size * sizeof(*subject->to));
    subject->owned = mem_resize(subject->owned, size * sizeof(*subject->owned));
}

static void subject_gram(void *arg, uint32_t hash, uint32_t at)
{
    struct subject *subject = arg;
    if (subject->gram_count == subject->gram_size) {
        subject->gram_size = subject->gram_size ? subject->gram_size * 2 : 64;
        subject->grams = mem_resize(subject->grams, subject->gram_size * sizeof(uint32_t));
        subject->hashes = mem_resize(subject->hashes, subject->gram_size * sizeof(uint32_t));
    }
    subject->grams[subject->gram_count] = at;
    subject->hashes[subject->gram_count++] = hash;
}

static void subject_choose(struct subject *subject)
{
    struct winnow winnow;
    winnow_init(&winnow, subject_gram, subject);
    subject->gram_count = 0;
    for (size_t i = 0; i < subject->count; i++)
        winnow_push(&winnow, subject->folded[i], (uint32_t)i);
    winnow_block(&winnow);
}

static void subject_fold(struct subject *subject, struct span text)
{
    /* A unit never folds to more bytes than it has. */
    subject_reserve(subject, text.len);
    subject->count = 0;
    for (size_t at = 0; at < text.len;) {
        struct unit unit = fold_next(text, at);
        for (size_t i = 0; i < unit.count; i++) {
            size_t to = subject->count++;
            subject->folded[to] = unit.bytes[i];
            subject->from[to] = (uint32_t)at;
            subject->to[to] = (uint32_t)(at + unit.len);
            subject->owned[to] = false;
        }
        at += unit.len;
    }
    subject_choose(subject);
}

/* The first folded byte whose unit ends behind `at`. */
static size_t subject_index(const struct subject *subject, size_t at)
{
    size_t low = 0, high = subject->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (subject->to[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_free(const struct subject *subject, size_t at, size_t len)
{
    for (size_t i = subject_index(subject, at); i < subject->count && subject->from[i] < at + len;
         i++)
        if (subject->owned[i])
            return false;
    return true;
}

static void own(struct subject *subject, size_t at, size_t len)
{
    for (size_t i = subject_index(subject, at); i < subject->count && subject->from[i] < at + len;
         i++)
        subject->owned[i] = true;
}

/* ---- hits ---- */

static bool hit_push(struct hit_list *hits, const struct trace_hit *hit)
{
    if (hits->count >= TRACE_HITS) {
        hits->capped = true;
        return false;
    }
    if (hits->count == hits->size) {
        hits->size = hits->size ? hits->size * 2 : 16;
        hits->items = mem_resize(hits->items, hits->size * sizeof(*hits->items));
    }
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

/* How many of the steps at these places differ: what is everywhere says little. */
static size_t count_steps(const struct trace *trace, const uint32_t *places, size_t count)
{
    int64_t seen[INDEX_FOUND];
    size_t steps = 0, offset;
    for (size_t i = 0; i < count; i++) {
        const struct kept *kept = keep_at(trace, places[i], &offset);
        size_t known = 0;
        while (kept && known < steps && seen[known] != kept->said.n)
            known++;
        if (kept && known == steps)
            seen[steps++] = kept->said.n;
    }
    return steps ? steps : 1;
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

/* What a source stands for when several have the same text: the first of these. */
enum { CLASS_PROMPT, CLASS_CONTENT, CLASS_OWN, CLASSES };
static int match_class_of(enum trace_source source)
{
    if (source == TRACE_PROMPT || source == TRACE_SYSTEM)
        return CLASS_PROMPT;
    return source == TRACE_ASSISTANT || source == TRACE_CALL ? CLASS_OWN : CLASS_CONTENT;
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
        if (unit.len == 0 || unit.count > subject->count - i ||
            memcmp(unit.bytes, subject->folded + i, unit.count) != 0)
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
            memcmp(unit.bytes, subject->folded + i - unit.count, unit.count) != 0)
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

/* The run around the gram at folded place q, where the source has it at `place`. */
static bool run_around(struct trace *trace, const struct subject *subject, size_t q, uint32_t place,
                       int class, struct match_run *run)
{
    size_t s;
    const struct kept *kept = keep_at(trace, place, &s);
    if (!kept || match_class_of(kept->said.source) != class)
        return false;
    struct span source = kept->said.text;
    /* The anchor is the first free byte of the gram; what is before it must be equal too. */
    size_t anchor = q;
    while (anchor < q + TRACE_GRAM && subject->owned[anchor]) {
        struct unit unit = fold_next(source, s);
        if (unit.len == 0 || unit.count > subject->count - anchor ||
            memcmp(unit.bytes, subject->folded + anchor, unit.count) != 0)
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
    hit.len = subject->to[run->end - 1] - hit.at;
    hit.shape = shape;
    hit.weight = (len < 64 ? 0.35 + 0.65 * (double)len / 64 : 1.0) / (0.75 + 0.25 * (double)steps);
    if (hit.how == TRACE_EXACT)
        hit.how = compare(trace, span_sub(run->kept->said.text, hit.offset, hit.length),
                          run->kept->said.flags & TRACE_IS_JSON, span_sub(text, hit.at, hit.len),
                          flags & TRACE_IS_JSON);
    if (hit_push(hits, &hit))
        memset(subject->owned + run->begin, true, len);
}

/* Did the model itself say all of it before it came in? Then that is where it is from. */
static void prefer_own(struct trace *trace, const struct subject *subject, size_t q,
                       const uint32_t *places, size_t count, struct match_run *best)
{
    struct match_run run;
    for (size_t i = 0; i < count; i++) {
        size_t s;
        const struct kept *kept = keep_at(trace, places[i], &s);
        if (!kept || match_class_of(kept->said.source) != CLASS_OWN ||
            kept->said.n >= best->kept->said.n)
            continue;
        if (run_around(trace, subject, q, places[i], CLASS_OWN, &run) && run.begin <= best->begin &&
            run.end >= best->end)
            *best = run;
    }
}

static bool has_free(const struct subject *subject, size_t q)
{
    return !subject->owned[q] || !subject->owned[q + TRACE_GRAM - 1];
}

static void find_runs(struct trace *trace, struct span text, unsigned flags,
                      struct subject *subject, int class, struct hit_list *hits)
{
    for (size_t g = 0; g < subject->gram_count && !hits->capped; g++) {
        size_t q = subject->grams[g];
        if (!has_free(subject, q))
            continue;
        uint32_t places[INDEX_FOUND];
        size_t count = index_find(&trace->index, subject->hashes[g], places);
        struct match_run best = {0}, run;
        for (size_t i = 0; i < count; i++)
            if (run_around(trace, subject, q, places[i], class, &run) &&
                run.end - run.begin > best.end - best.begin)
                best = run;
        trace->work += count + 1;
        if (best.kept && class == CLASS_CONTENT)
            prefer_own(trace, subject, q, places, count, &best);
        if (best.kept)
            push_run(trace, text, flags, subject, &best, TRACE_RUN,
                     count_steps(trace, places, count), hits);
    }
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
    struct span written = span_sub(text, token->at, token->len);
    uint32_t places[INDEX_FOUND];
    size_t count = index_find(&trace->index, token->hash, places), kept_count = 0, best_at = 0;
    const struct kept *best = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t s;
        const struct kept *kept = keep_at(trace, places[i], &s);
        trace->work += token->len;
        if (!kept || !same_token(kept->said.text, s, written))
            continue;
        places[kept_count++] = places[i];
        /* Prompts come first among the places, then all others in order: the first to say it. */
        if (!best) {
            best = kept;
            best_at = s;
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
    hit.weight = token_weight(token, shape, count_steps(trace, places, kept_count));
    if (hit_push(hits, &hit))
        own(subject, token->at, token->len);
    return true;
}

static void find_tokens(struct trace *trace, struct span text, unsigned flags,
                        struct subject *subject, struct hit_list *hits)
{
    struct token token, word, pieces[TOKEN_PIECES];
    for (size_t at = 0; token_next(text, &at, &token);) {
        bool is_whole = token.distinctive && is_free(subject, token.at, token.len) &&
                        find_token(trace, text, subject, &token, TRACE_TOKEN, hits);
        size_t count = is_whole ? 0 : token_pieces(text, &token, pieces);
        for (size_t i = 0; i < count; i++)
            if (is_free(subject, pieces[i].at, pieces[i].len))
                find_token(trace, text, subject, &pieces[i], TRACE_TOKEN, hits);
        if (is_whole || !(flags & TRACE_WANT_WORDS))
            continue;
        for (size_t in = token.at; token_word(text, &token, &in, &word);)
            if (is_free(subject, word.at, word.len))
                find_token(trace, text, subject, &word, TRACE_WORDS, hits);
    }
}

/* A text too short for a run, and more than one word ("+00 000 0001"), counts as a whole: around
 * its longest word. */
static void find_whole(struct trace *trace, struct span text, unsigned flags,
                       struct subject *subject, struct hit_list *hits)
{
    struct token token, word, longest = {.len = 0};
    if (subject->count < TOKEN_LEAST || subject->count >= TRACE_SPAN ||
        !is_free(subject, 0, text.len))
        return;
    for (size_t at = 0; token_next(text, &at, &token);)
        for (size_t in = token.at; token_word(text, &token, &in, &word);)
            if (word.len > longest.len)
                longest = word;
    if (!longest.len || longest.len == text.len)
        return;
    size_t anchor = subject_index(subject, longest.at);
    uint32_t places[INDEX_FOUND];
    size_t count = index_find(&trace->index, longest.hash, places), wholes = 0;
    struct match_run best = {0};
    for (size_t i = 0; i < count; i++) {
        size_t s;
        const struct kept *kept = keep_at(trace, places[i], &s);
        if (!kept)
            continue;
        struct side right = forward(trace, kept->said.text, s, subject, anchor);
        struct side left = backward(trace, kept->said.text, s, subject, anchor);
        if (left.part + right.part != subject->count ||
            !token_stands_alone(kept->said.text, left.place, right.place - left.place))
            continue;
        places[wholes++] = places[i];
        if (!best.kept)
            best = (struct match_run){kept, 0, subject->count, left.place, right.place};
    }
    if (best.kept)
        push_run(trace, text, flags, subject, &best, TRACE_TOKEN,
                 count_steps(trace, places, wholes), hits);
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
        hit.len = subject->to[stop - 1] - hit.at;
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
    for (int class = 0; class < CLASSES; class ++)
        find_runs(trace, text, flags, subject, class, hits);
    if (depth + 1 < KEEP_NESTING)
        match_decoded(trace, text, flags, depth, hits);
    find_whole(trace, text, flags, subject, hits);
    find_tokens(trace, text, flags, subject, hits);
}

void match_append(struct trace *trace, struct span text, unsigned flags, struct hit_list *hits)
{
    size_t before = hits->count;
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
