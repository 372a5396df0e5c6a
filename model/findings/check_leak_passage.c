/*
 * Passages of earlier items in what leaves: of private ones in a call that lets
 * something out (EX01) or in a rendered address (EX02), of untrusted ones in a
 * call with consequences (EX04).
 */
#include "base/ascii.h"
#include "base/text.h"
#include "model/findings/check_leak_internal.h"
#include "model/flow/match.h"
#include "model/trace/link.h"
#include "model/trace/secret.h"

enum {
    PASSAGE_UNTRUSTED = 28, /* strangers' words may be answered in their own words */
    PLACES_MAX = 4,         /* of one finding: arguments */
    SOURCES_MAX = 8,        /* of one finding */
};

/* ---- one finding of several hits ---- */

struct gathered {
    struct finding_evidence places[PLACES_MAX], sources[SOURCES_MAX];
    size_t place_count, source_count;
    size_t passages, longest;
    struct buf sample; /* the longest passage, as it was written */
};

/* The first place in each argument, and in each item. */
static void gather(struct gathered *g, const struct look *look, const struct trace_hit *hit,
                   struct span pointer, uint64_t at, struct span written)
{
    bool known = false;
    g->passages++;
    if (written.len > g->longest) {
        g->longest = written.len;
        struct buf masked = {0}; /* the credential itself stays where it is */
        secrets_mask(&masked, written);
        buf_clear(&g->sample);
        text_safe(&g->sample, span_sub(buf_span(&masked), 0, 80));
        buf_finish(&masked);
    }
    for (size_t i = 0; i < g->place_count; i++)
        known |= span_equal(g->places[i].pointer, pointer);
    if (!known && g->place_count < PLACES_MAX)
        g->places[g->place_count++] = (struct finding_evidence){
            .n = look->step->n, .pointer = pointer, .offset = at, .length = written.len};
    known = false;
    for (size_t i = 0; i < g->source_count; i++)
        known |= g->sources[i].n == hit->n;
    if (!known && g->source_count < SOURCES_MAX)
        g->sources[g->source_count++] = (struct finding_evidence){
            .n = hit->n, .pointer = SPAN_EMPTY, .offset = hit->offset, .length = hit->length};
}

void check_raise_violation(const struct look *look)
{
    int said;
    if (!look->policy_finding || look->step->outcome == OUTCOME_REFUSED)
        return;
    struct finding *violation = &look->checks->findings[look->policy_finding - 1];
    if (violation->severity == SEVERITY_HIGH &&
        !policy_severity(look->checks->policy, violation->code->code, &said))
        violation->severity = SEVERITY_CRITICAL;
}

static void tell(struct gathered *g, const struct look *look, enum code code, int severity,
                 const char *what)
{
    struct finding_evidence evidence[PLACES_MAX + SOURCES_MAX];
    memcpy(evidence, g->places, g->place_count * sizeof *evidence);
    memcpy(evidence + g->place_count, g->sources, g->source_count * sizeof *evidence);
    if (g->passages)
        finding_add(
            look, code, severity, evidence, g->place_count + g->source_count,
            "%zu %s of %s in %s: \"%s\"", g->passages, g->passages == 1 ? "passage" : "passages",
            g->source_count == 1 ? "an earlier item" : "earlier items", what, buf_cstr(&g->sample));
    buf_finish(&g->sample);
}

/* A bound was hit, for the first time: it is said once, since silence would be taken for innocence.
 */
static bool is_first_cap(const struct look *look, bool capped)
{
    bool told = look->checks->leaks->cap_told;
    look->checks->leaks->cap_told = told || capped;
    return capped && !told;
}

static void tell_cap(const struct look *look, const struct trace_found *found)
{
    struct trace_limits limits;
    if (!is_first_cap(look, found->capped))
        return;
    trace_limits(look->checks->leaks->trace, &limits);
    struct finding_evidence here = evidence_here(look, SPAN_EMPTY);
    if (limits.lost_before)
        finding_add(look, CODE_EX05, SEVERITY_DEFAULT, &here, 1,
                    "text of the steps before %lld was let go", (long long)limits.lost_before);
    else if (limits.capped)
        finding_add(look, CODE_EX05, SEVERITY_DEFAULT, &here, 1,
                    "%llu bytes of long texts and %llu fingerprints found no room",
                    (unsigned long long)limits.cut_bytes, (unsigned long long)limits.unindexed);
    else
        finding_add(look, CODE_EX05, SEVERITY_DEFAULT, &here, 1,
                    "more passages stand in the arguments than are looked at (%d)", TRACE_HITS);
}

static void tell_link_cap(const struct look *look, bool capped)
{
    if (!is_first_cap(look, capped))
        return;
    struct finding_evidence here = evidence_here(look, SPAN_EMPTY);
    finding_add(look, CODE_EX05, SEVERITY_DEFAULT, &here, 1,
                "more links stand in the answer than are looked at (%d)", LINK_MAX);
}

/* ---- addresses ---- */

/* Names and numbers: what a fact about somebody is made of. */
static bool is_name_or_number(struct span written)
{
    return written.len && (ascii_is_upper(written.at[0]) || ascii_is_digit(written.at[0]));
}

void leak_match_spaced(struct trace *trace, struct span tail, struct arena *arena,
                       struct trace_found *found)
{
    char *spaced = arena_alloc(arena, tail.len + 1);
    for (size_t i = 0; i < tail.len; i++)
        spaced[i] = ascii_is_one_of(tail.at[i], "+-_./&") ? ' ' : tail.at[i];
    trace_match(trace, (struct span){spaced, tail.len}, 0, arena, found);
}

/* Some of it stood somewhere as it is written here: an address that was only repeated. */
static bool stands_so(const struct trace_found *found, const struct trace_hit *spaced)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct trace_hit *hit = &found->hits[i];
        if (hit->shape != TRACE_WORDS && hit->at < spaced->at + spaced->len &&
            spaced->at < hit->at + hit->len)
            return true;
    }
    return false;
}

/*
 * The tail of a URL (path, query, fragment) can carry facts word by word:
 * /Northfjord-Holdings-1240000. Several names and numbers of private items that
 * make up most of the tail are no coincidence, and neither is what was encoded.
 */
static void search_tail(struct gathered *g, const struct look *look, struct span tail,
                        struct span pointer, uint64_t at)
{
    struct trace_found found;
    size_t words = 0, covered = 0, before = g->passages;
    trace_match(look->checks->leaks->trace, tail, TRACE_WANT_WORDS, &look->checks->scratch, &found);
    tell_cap(look, &found);
    for (size_t i = 0; i < found.count; i++) {
        struct span written = span_sub(tail, found.hits[i].at, found.hits[i].len);
        if (leak_from_user(&found.hits[i]) || !(found.hits[i].tag & TAG_PRIVATE))
            continue;
        words += is_name_or_number(written);
        covered += leak_letters_in(written);
    }
    bool spelled = words >= 3 && covered * 10 >= leak_letters_in(tail) * 6;
    for (size_t i = 0; i < found.count; i++) {
        const struct trace_hit *hit = &found.hits[i];
        struct span written = span_sub(tail, hit->at, hit->len);
        bool encoded = hit->how != TRACE_EXACT && hit->how != TRACE_FOLDED;
        if (leak_from_user(hit) || !(hit->tag & TAG_PRIVATE))
            continue;
        if (spelled || leak_is_telling(hit, written) || leak_is_mail_address(written) ||
            (encoded && hit->shape != TRACE_WORDS))
            gather(g, look, hit, pointer, at + hit->at, written);
    }
    if (g->passages > before)
        return;
    struct trace_found spaced;
    leak_match_spaced(look->checks->leaks->trace, tail, &look->checks->scratch, &spaced);
    for (size_t i = 0; i < spaced.count; i++) {
        const struct trace_hit *hit = &spaced.hits[i];
        struct span written = span_sub(tail, hit->at, hit->len);
        if (!leak_from_user(hit) && (hit->tag & TAG_PRIVATE) && leak_is_telling(hit, written) &&
            !stands_so(&found, hit))
            gather(g, look, hit, pointer, at + hit->at, written);
    }
}

/* Every address in a text of the step's; `at` is where the text stands in the body. */
static void search_addresses(struct gathered *g, const struct look *look, struct span text,
                             struct span pointer, uint64_t at)
{
    struct span rest = text, url, host;
    while (url_next(&rest, &url, &host)) {
        struct span tail = span_sub(url, (size_t)(host.at - url.at) + host.len, url.len);
        search_tail(g, look, tail, pointer, at + (uint64_t)(tail.at - text.at));
    }
}

/* ---- calls ---- */

bool leak_lets_out(const struct look *look)
{
    const struct hints *hints = &look->step->hints;
    return (look->out->role & ROLE_EGRESS) || look->contradicts ||
           (hints->defined && hints->open_world == TRI_TRUE);
}

/* An address, and nothing in front of it or behind it but a sign. */
static bool is_destination(struct span written)
{
    struct span rest = written, url, host;
    if (!url_next(&rest, &url, &host))
        return false;
    size_t front = (size_t)(url.at - written.at);
    size_t tail = written.len - ((size_t)(host.at - written.at) + host.len);
    return front <= 1 && tail <= 1;
}

/* Is it the name of one whom the call is for? That tells nobody anything; EX03 tells of those that
 * a stranger named. */
static bool is_audience(const struct look *look, struct span written)
{
    struct span rest = look->out->audience;
    while (rest.len) {
        size_t end = span_find(rest, SPAN(", "));
        if (span_equal_nocase(span_sub(rest, 0, end), written))
            return true;
        rest = span_sub(rest, end + 2, rest.len);
    }
    return false;
}

void leak_search_call(struct look *look)
{
    struct gathered out = {0}, act = {0};
    struct trace_found found;
    struct span body;
    bool leaves = leak_lets_out(look), acts = look->out->role & ROLE_CONSEQUENTIAL;
    if (!look_body(look, &body))
        return;
    trace_match_json(look->checks->leaks->trace, body, 0, &look->checks->scratch, &found);
    tell_cap(look, &found);
    for (size_t i = 0; i < found.count; i++) {
        const struct trace_hit *hit = &found.hits[i];
        struct span written = span_sub(body, hit->at, hit->len);
        if (leak_from_user(hit))
            continue;
        if (is_destination(written) || is_audience(look, written))
            continue;
        if (leaves && (hit->tag & TAG_PRIVATE) && leak_is_telling(hit, written))
            gather(&out, look, hit, hit->pointer, hit->at, written);
        else if (acts && (hit->tag & TAG_UNTRUSTED) && hit->shape == TRACE_RUN &&
                 leak_letters_in(written) >= PASSAGE_UNTRUSTED)
            gather(&act, look, hit, hit->pointer, hit->at, written);
    }
    const struct strings *strings = leaves ? look_strings(look) : NULL;
    for (size_t i = 0; strings && i < strings->count; i++)
        search_addresses(&out, look, strings->items[i].text, strings->items[i].pointer,
                         strings->items[i].at);
    look->text_left = out.passages > 0;
    if (out.passages)
        check_raise_violation(look);
    tell(&out, look, CODE_EX01, leak_severity(look), "the arguments");
    tell(&act, look, CODE_EX04, leak_severity(look), "the arguments");
}

/* ---- answers ---- */

void leak_search_answer(struct look *look)
{
    struct gathered out = {0};
    struct span body;
    struct link *links = NULL;
    size_t count = 0;
    bool capped = false;
    if (look_body(look, &body))
        links_find(body, &look->checks->scratch, &links, &count, &capped);
    tell_link_cap(look, capped);
    for (size_t i = 0; i < count; i++) {
        size_t behind = (size_t)(links[i].host.at - links[i].url.at) + links[i].host.len;
        struct span tail = span_sub(links[i].url, behind, links[i].url.len);
        search_tail(&out, look, tail, SPAN_EMPTY, (uint64_t)(tail.at - body.at));
    }
    if (out.passages)
        check_raise_violation(look);
    tell(&out, look, CODE_EX02, SEVERITY_DEFAULT, "the address of a link or image");
}
