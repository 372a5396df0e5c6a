/*
 * Searching and filtering in slices: what is typed is answered at once, what
 * takes long goes on between keys, can be stopped, and says how far it is.
 */
#include <stdio.h>
#include <string.h>

#include "tui/core.h"

enum { FIND_SLICE = 64 }; /* steps looked at between two looks at the clock */

static int64_t step_count(const struct explorer *x)
{
    return x->review ? review_steps(x->review) : 0;
}

/* ---- search ---- */

void search_stop(struct explorer *x)
{
    x->search.running = false;
}

static void find_begin(struct explorer *x, bool forward, int64_t from)
{
    struct search *s = &x->search;
    int64_t count = step_count(x);
    s->forward = forward;
    s->running = count > 0;
    s->wrapped = false;
    s->looked = 0;
    s->next = from < 1 ? (forward ? 1 : count) : from > count ? (forward ? 1 : count) : from;
}

/* The filter that a search is: the text in quotes, so that it means itself. */
void search_as_filter(struct span text, struct buf *out)
{
    bool regex = text.len > 2 && text.at[0] == '/' && text.at[text.len - 1] == '/';
    if (regex || span_find_byte(text, '"') < text.len) {
        buf_add(out, text);
        return;
    }
    buf_byte(out, '"');
    buf_add(out, text);
    buf_byte(out, '"');
}

void search_start(struct explorer *x, struct span text, bool from_here)
{
    struct search *s = &x->search;
    struct err err = {0};
    struct buf words = {0};
    search_as_filter(text, &words);
    struct filter *filter = text.len ? filter_parse(buf_span(&words), &err) : NULL;
    buf_finish(&words);
    filter_destroy(s->filter);
    s->filter = filter;
    s->running = false;
    if (text.at != s->text.at) {
        buf_clear(&s->text);
        buf_add(&s->text, text);
    }
    if (filter)
        find_begin(x, true, x->n + (from_here ? 0 : 1));
    else if (text.len)
        explorer_fail(x, &err);
    if (!text.len)
        buf_clear(&s->text);
}

void search_again(struct explorer *x, bool forward)
{
    if (x->search.filter)
        find_begin(x, forward, x->n + (forward ? 1 : -1));
    else
        explorer_say(x, STYLE_PLAIN, "nothing was searched for yet; / searches");
}

/* A hit: selected and shown. While the words are still being typed it is only a preview. */
static void hit(struct explorer *x, int64_t n)
{
    struct search *s = &x->search;
    const char *around = !s->wrapped  ? ""
                         : s->forward ? "past the end and around: "
                                      : "past the start and around: ";
    s->running = false;
    if (x->prompt.kind == PROMPT_SEARCH) {
        x->n = n;
        explorer_say(x, STYLE_GOOD, "%sstep %lld", around, (long long)n);
        return;
    }
    explorer_goto(x, n);
    explorer_say(x, STYLE_PLAIN, "%sstep %lld holds ", around, (long long)n);
    explorer_say_data(x, buf_span(&s->text));
}

static bool search_on(struct explorer *x)
{
    struct search *s = &x->search;
    struct err err = {0};
    int64_t found, looked_to = s->next;
    if (!s->running)
        return false;
    long got = review_filter(x->review, s->filter, s->next, s->forward, FIND_SLICE, &found, 1,
                             &looked_to, &err);
    if (got < 0) {
        s->running = false;
        explorer_fail(x, &err);
        return false;
    }
    if (got > 0) {
        hit(x, found);
        return false;
    }
    int64_t count = step_count(x);
    s->looked += s->forward ? looked_to - s->next + 1 : s->next - looked_to + 1;
    s->next = looked_to + (s->forward ? 1 : -1);
    if (s->next > count || s->next < 1) {
        s->wrapped = true;
        s->next = s->forward ? 1 : count;
    }
    if (s->looked >= count || looked_to < 0) {
        s->running = false;
        explorer_say(x, STYLE_UNKNOWN, "no hits: none of the %lld steps holds ", (long long)count);
        explorer_say_data(x, buf_span(&s->text));
        return false;
    }
    explorer_say(x, STYLE_DIM, "searching: %lld of %lld steps looked at, no hit yet; Esc stops",
                 (long long)s->looked, (long long)count);
    return true;
}

bool search_slice(struct explorer *x, struct slice *slice)
{
    bool more;
    while ((more = search_on(x)) && !slice_is_over(slice))
        ;
    return more;
}

/* ---- filter ---- */

void matches_set(struct explorer *x, struct span text)
{
    struct matches *m = &x->matches;
    struct err err = {0};
    m->problem[0] = 0;
    text = span_trim(text);
    struct filter *filter = text.len ? filter_parse(text, &err) : NULL;
    if (text.len && !filter) { /* what is shown stays until the text is valid again */
        snprintf(m->problem, sizeof m->problem, "%s%s%s", err.what, err.todo[0] ? "; " : "",
                 err.todo);
        m->advice = err.todo[0] ? m->problem + strlen(err.what) + 2 : m->problem;
        return;
    }
    filter_destroy(m->filter);
    m->filter = filter;
    m->of_findings = span_find(text, SPAN("finding:")) < text.len;
    if (text.at != m->text.at) {
        buf_clear(&m->text);
        buf_add(&m->text, text);
    }
    m->on = filter != NULL;
    m->done = !filter;
    m->count = 0;
    m->looked_to = 0;
}

static bool matches_on(struct explorer *x)
{
    struct matches *m = &x->matches;
    struct err err = {0};
    if (!m->filter || m->done || !x->review)
        return false;
    if (m->of_findings && !review_is_checked(x->review)) { /* they are being looked for */
        m->done = x->check_failed;
        return false;
    }
    if (m->room - m->count < FIND_SLICE) {
        m->room = m->room ? m->room * 2 : (size_t)FIND_SLICE * 4;
        m->n = mem_resize(m->n, m->room * sizeof *m->n);
    }
    int64_t looked_to = m->looked_to;
    long got = review_filter(x->review, m->filter, m->looked_to + 1, true, FIND_SLICE,
                             m->n + m->count, FIND_SLICE, &looked_to, &err);
    if (got < 0) {
        m->done = true;
        explorer_fail(x, &err);
        return false;
    }
    m->count += (size_t)got;
    m->done = looked_to <= m->looked_to || looked_to >= step_count(x);
    m->looked_to = looked_to;
    if (m->done && m->on && m->count && !matches_has(x, x->n)) /* the nearest one that is shown */
        x->n = m->n[matches_position(x, x->n)];
    return !m->done;
}

bool matches_slice(struct explorer *x, struct slice *slice)
{
    bool more;
    while ((more = matches_on(x)) && !slice_is_over(slice))
        ;
    return more;
}

int64_t matches_shown(const struct explorer *x)
{
    return x->matches.on ? (int64_t)x->matches.count : step_count(x);
}

int64_t matches_step(const struct explorer *x, int64_t position)
{
    return x->matches.on ? x->matches.n[position] : position + 1;
}

bool matches_has(const struct explorer *x, int64_t n)
{
    const struct matches *m = &x->matches;
    if (!m->on || !m->done)
        return true;
    return m->count && m->n[matches_position(x, n)] == n;
}

int64_t matches_position(const struct explorer *x, int64_t n)
{
    if (!x->matches.on)
        return n > 0 ? n - 1 : 0;
    size_t low = 0, high = x->matches.count; /* first one above n */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (x->matches.n[middle] <= n)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? (int64_t)low - 1 : 0;
}

void matches_finish(struct explorer *x)
{
    filter_destroy(x->matches.filter);
    buf_finish(&x->matches.text);
    buf_finish(&x->matches.before);
    mem_free(x->matches.n);
    x->matches = (struct matches){0};
}

void find_finish(struct explorer *x)
{
    matches_finish(x);
    filter_destroy(x->search.filter);
    buf_finish(&x->search.text);
    buf_finish(&x->search.before);
    x->search = (struct search){0};
}
