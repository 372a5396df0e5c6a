/*
 * Text that left (EX): passages of an earlier private item in the arguments of
 * a call that lets something out, or in a rendered address; passages of an
 * untrusted item in a call with consequences; destinations that only untrusted
 * text names. model/trace finds where text came from; here it is weighed.
 */

#include "base/ascii.h"
#include "base/text.h"
#include "model/findings/check_internal.h"
#include "model/flow/match.h"
#include "model/trace/link.h"
#include "model/trace/secret.h"
#include "model/trace/trace.h"

enum {
    CHECK_LEAK_PASSAGE = 20, /* bytes of a passage that are no coincidence */
    PASSAGE_UNTRUSTED = 28,  /* strangers' words may be answered in their own words */
    CHECK_LEAK_TOKEN = 8,    /* of a key */
    CODE_WORD = 12,          /* in capitals; README.md is none */
    PLACES_MAX = 4,          /* of one finding: arguments */
    SOURCES_MAX = 8,         /* of one finding */
    DESTINATIONS_MAX = 64,   /* of one call */
};

/* What an item is, as the tag of its text. */
enum { TAG_PRIVATE = 1, TAG_UNTRUSTED = 2, TAG_DEFINITION = 4 };

/* Text that is neither private nor untrusted matters only beside text that is: it is read again
 * when the first such text comes, before the next step is looked at. A
 * session without labels costs nothing. */
struct check_leak_pending {
    int64_t n;
    enum trace_source source;
    uint32_t tag;
};

struct leaks {
    struct trace *trace;
    bool any_prompt, tainted, cap_told;
    struct check_leak_pending *pending;
    size_t pending_count, pending_size;
    bool behind; /* they are wanted before the next step */
    struct buf text;
};

void leaks_destroy(struct leaks *leaks)
{
    if (!leaks)
        return;
    trace_destroy(leaks->trace);
    buf_finish(&leaks->text);
    mem_free(leaks->pending);
    mem_free(leaks);
}

static struct leaks *leaks_of(const struct look *look)
{
    struct checks *checks = look->checks;
    if (!checks->leaks) {
        checks->leaks = NEW(struct leaks);
        checks->leaks->trace = trace_create(NULL);
    }
    return checks->leaks;
}

static void add_text(struct leaks *leaks, int64_t n, enum trace_source source, uint32_t tag,
                     struct span text)
{
    bool json = text.len && (text.at[0] == '{' || text.at[0] == '[' || text.at[0] == '"');
    trace_add(
        leaks->trace,
        &(struct trace_text){
            .n = n, .source = source, .tag = tag, .text = text, .flags = json ? TRACE_IS_JSON : 0});
}

void check_leaks_catch_up(struct checks *checks)
{
    struct leaks *leaks = checks->leaks;
    if (!leaks || !leaks->behind)
        return;
    for (size_t i = 0; i < leaks->pending_count; i++) {
        const struct check_leak_pending *next = &leaks->pending[i];
        buf_clear(&leaks->text);
        if (checks->hooks.body(checks->hooks.arg, next->n, BODY_MAX, &leaks->text))
            add_text(leaks, next->n, next->source, next->tag, buf_span(&leaks->text));
    }
    leaks->pending_count = 0;
    leaks->behind = false;
}

static void add_pending(const struct look *look)
{
    leaks_of(look)->behind = look->checks->hooks.body != NULL;
    check_leaks_catch_up(look->checks);
}

static void push_pending(struct leaks *leaks, int64_t n, enum trace_source source, uint32_t tag)
{
    leaks->pending = mem_one_more(leaks->pending, leaks->pending_count, &leaks->pending_size,
                                  sizeof *leaks->pending);
    leaks->pending[leaks->pending_count++] = (struct check_leak_pending){n, source, tag};
}

static void check_leak_keep(const struct look *look, enum trace_source source, uint32_t tag)
{
    struct leaks *leaks = leaks_of(look);
    struct span body;
    leaks->tainted |= (tag & (TAG_PRIVATE | TAG_UNTRUSTED)) != 0;
    bool wanted = tag || leaks->tainted, can_wait = look->checks->hooks.body;
    if (can_wait && (!wanted || leaks->pending_count)) {
        push_pending(leaks, look->step->n, source, tag);
        leaks->behind = wanted; /* what came before first, in order */
    } else if (wanted && look_body(look, &body)) {
        add_text(leaks, look->step->n, source, tag, body);
    }
}

/* ---- which hits count ---- */

/* A code word or a key: three capitals in a row, or a word of letters and digits. */
static bool is_key(struct span written)
{
    size_t capitals = 0, letters = 0, digits = 0;
    for (size_t i = 0; i < written.len; i++) {
        char c = written.at[i];
        capitals = ascii_is_upper(c) ? capitals + 1 : 0;
        if (!ascii_is_alnum(c))
            letters = digits = 0;
        letters += ascii_is_letter(c);
        digits += ascii_is_digit(c);
        if ((capitals >= 3 && written.len >= CODE_WORD) ||
            (letters >= 3 && digits >= 2 && letters + digits >= 8))
            return true;
    }
    return false;
}

static bool is_mail_address(struct span written)
{
    size_t at = span_find_byte(written, '@');
    return at > 0 && at + 3 < written.len;
}

/* Blanks and punctuation make no passage. */
static size_t letters_in(struct span written)
{
    size_t count = 0;
    for (size_t i = 0; i < written.len; i++)
        count += ascii_is_alnum(written.at[i]) || (unsigned char)written.at[i] >= 0x80;
    return count;
}

static bool from_user(const struct trace_hit *hit)
{
    return hit->source == TRACE_PROMPT || hit->source == TRACE_SYSTEM;
}

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

static int severity_of_leak(const struct look *look)
{
    if (look->step->outcome == OUTCOME_REFUSED)
        return SEVERITY_LOW;
    return look->step->outcome == OUTCOME_FAILED ? SEVERITY_MEDIUM : SEVERITY_DEFAULT;
}

static bool is_leak(const struct trace_hit *hit, struct span written)
{
    if (hit->shape == TRACE_RUN && letters_in(written) >= CHECK_LEAK_PASSAGE)
        return true;
    return written.len >= CHECK_LEAK_TOKEN && is_key(written);
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

/* What a tail says where the signs between its words are blanks, which a URL doesn't have:
 * the+board+meets, the-board-meets. As long as the tail, so that places are the same. */
static void match_spaced(struct trace *trace, struct span tail, struct arena *arena,
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
        if (from_user(&found.hits[i]) || !(found.hits[i].tag & TAG_PRIVATE))
            continue;
        words += is_name_or_number(written);
        covered += letters_in(written);
    }
    bool spelled = words >= 3 && covered * 10 >= letters_in(tail) * 6;
    for (size_t i = 0; i < found.count; i++) {
        const struct trace_hit *hit = &found.hits[i];
        struct span written = span_sub(tail, hit->at, hit->len);
        bool encoded = hit->how != TRACE_EXACT && hit->how != TRACE_FOLDED;
        if (from_user(hit) || !(hit->tag & TAG_PRIVATE))
            continue;
        if (spelled || is_leak(hit, written) || is_mail_address(written) ||
            (encoded && hit->shape != TRACE_WORDS))
            gather(g, look, hit, pointer, at + hit->at, written);
    }
    if (g->passages > before)
        return;
    struct trace_found spaced;
    match_spaced(look->checks->leaks->trace, tail, &look->checks->scratch, &spaced);
    for (size_t i = 0; i < spaced.count; i++) {
        const struct trace_hit *hit = &spaced.hits[i];
        struct span written = span_sub(tail, hit->at, hit->len);
        if (!from_user(hit) && (hit->tag & TAG_PRIVATE) && is_leak(hit, written) &&
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

/* Does a call take something out? By its role, by its own hint, or by what it really does. */
static bool lets_out(const struct look *look)
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

static void search_call(struct look *look)
{
    struct gathered out = {0}, act = {0};
    struct trace_found found;
    struct span body;
    bool leaves = lets_out(look), acts = look->out->role & ROLE_CONSEQUENTIAL;
    if (!look_body(look, &body))
        return;
    trace_match_json(look->checks->leaks->trace, body, 0, &look->checks->scratch, &found);
    tell_cap(look, &found);
    for (size_t i = 0; i < found.count; i++) {
        const struct trace_hit *hit = &found.hits[i];
        struct span written = span_sub(body, hit->at, hit->len);
        if (from_user(hit))
            continue;
        if (is_destination(written) || is_audience(look, written))
            continue;
        if (leaves && (hit->tag & TAG_PRIVATE) && is_leak(hit, written))
            gather(&out, look, hit, hit->pointer, hit->at, written);
        else if (acts && (hit->tag & TAG_UNTRUSTED) && hit->shape == TRACE_RUN &&
                 letters_in(written) >= PASSAGE_UNTRUSTED)
            gather(&act, look, hit, hit->pointer, hit->at, written);
    }
    const struct strings *strings = leaves ? look_strings(look) : NULL;
    for (size_t i = 0; strings && i < strings->count; i++)
        search_addresses(&out, look, strings->items[i].text, strings->items[i].pointer,
                         strings->items[i].at);
    look->text_left = out.passages > 0;
    if (out.passages)
        check_raise_violation(look);
    tell(&out, look, CODE_EX01, severity_of_leak(look), "the arguments");
    tell(&act, look, CODE_EX04, severity_of_leak(look), "the arguments");
}

/* ---- answers ---- */

/* Only the addresses of an answer leave; the rest of it is for the user. */
static void search_answer(struct look *look)
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

/* ---- destinations ---- */

/*
 * The one item that a whole address stands in: a part of an address may be
 * anybody's. A number that is written in groups comes as several hits side by
 * side. NULL where there is none, or where the user said it too.
 */
static const struct trace_hit *check_leak_origin_of(const struct trace_found *found,
                                                    struct span name)
{
    const struct trace_hit *first = found->count ? &found->hits[0] : NULL;
    size_t covered = 0;
    for (size_t i = 0; i < found->count; i++) {
        const struct trace_hit *hit = &found->hits[i];
        if (from_user(hit) || hit->n != first->n || hit->offset < first->offset ||
            hit->offset + hit->length > first->offset + name.len + 8)
            return NULL;
        covered += letters_in(span_sub(name, hit->at, hit->len));
    }
    return covered && covered * 10 >= letters_in(name) * 6 ? first : NULL;
}

static void search_destination(struct look *look, struct span name, const struct string_at *s)
{
    const struct leaks *leaks = look->checks->leaks;
    struct trace_found found;
    trace_match(leaks->trace, name, TRACE_WANT_WORDS, &look->checks->scratch, &found);
    const struct trace_hit *from = check_leak_origin_of(&found, name);
    if (!from || !(from->tag & (TAG_UNTRUSTED | TAG_DEFINITION)))
        return;
    if (leaks->pending_count) { /* the user may have said it too, or an item that is trusted */
        add_pending(look);
        trace_match(leaks->trace, name, TRACE_WANT_WORDS, &look->checks->scratch, &found);
        from = check_leak_origin_of(&found, name);
        if (!from || !(from->tag & (TAG_UNTRUSTED | TAG_DEFINITION)))
            return;
    }
    bool definition = from->tag & TAG_DEFINITION;
    if (!definition && !leaks->any_prompt) /* the prompt that may name it is not recorded */
        return;
    struct buf safe = {0};
    struct finding_evidence evidence[2] = {
        evidence_in(look, s, (size_t)(name.at - s->text.at), name.len),
        {.n = from->n, .pointer = SPAN_EMPTY, .offset = from->offset, .length = from->length}};
    text_safe(&safe, span_sub(name, 0, 100));
    finding_add(look, CODE_EX03, severity_of_leak(look), evidence, 2,
                "%s is named by %s of step %lld and by no prompt", buf_cstr(&safe),
                definition ? "the definitions" : "the untrusted item", (long long)from->n);
    buf_finish(&safe);
}

/* An account's number (IBAN, ISO 13616): a country, two digits to check it, and the rest. */
static bool is_account(struct span text)
{
    enum { ACCOUNT_LEAST = 15, ACCOUNT_MOST = 34 };
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool digit = ascii_is_digit(text.at[i]);
        if (i < 2 ? !ascii_is_upper(text.at[i]) : !digit && (i < 4 || !ascii_is_upper(text.at[i])))
            return false;
        digits += digit;
    }
    return text.len >= ACCOUNT_LEAST && text.len <= ACCOUNT_MOST && digits * 2 > text.len;
}

/* An address with @, a number to call, an account. */
static bool is_address(struct span text)
{
    size_t digits = 0;
    if (text.len < 6 || text.len > 200)
        return false;
    if (is_account(text))
        return true;
    if (is_mail_address(text) && span_find_byte(text, ' ') == text.len)
        return true;
    for (size_t i = 0; i < text.len; i++) {
        if (!ascii_is_digit(text.at[i]) && !ascii_is_one_of(text.at[i], " +-()/."))
            return false;
        digits += ascii_is_digit(text.at[i]);
    }
    return digits >= 7;
}

static void search_destinations(struct look *look)
{
    enum { ADDRESS_TEXT = 2000 }; /* longer is a text about addresses, not one */
    const struct strings *strings = look_strings(look);
    size_t seen = 0;
    for (size_t i = 0; i < strings->count && seen < DESTINATIONS_MAX; i++) {
        const struct string_at *s = &strings->items[i];
        struct span rest = s->text, url, host;
        if (is_address(rest)) {
            seen++;
            search_destination(look, rest, s);
        } else if (rest.len <= ADDRESS_TEXT) {
            while (seen++ < DESTINATIONS_MAX && url_next(&rest, &url, &host))
                search_destination(look, host, s);
        }
    }
}

/* ---- would it matter? ---- */

static bool tail_matters(struct trace *items, struct span tail, struct arena *arena)
{
    struct trace_found found;
    trace_match(items, tail, TRACE_WANT_WORDS, arena, &found);
    if (!found.count)
        match_spaced(items, tail, arena, &found);
    return found.count > 0;
}

static bool destination_matters(struct trace *items, struct span name, struct arena *arena)
{
    struct trace_found found;
    trace_match(items, name, TRACE_WANT_WORDS, arena, &found);
    return check_leak_origin_of(&found, name) != NULL;
}

static bool string_matters(struct trace *items, struct span text, struct arena *arena)
{
    struct span url, host;
    if (is_address(text) && destination_matters(items, text, arena))
        return true;
    while (url_next(&text, &url, &host))
        if (destination_matters(items, host, arena) ||
            tail_matters(items, span_sub(url, (size_t)(host.at - url.at) + host.len, url.len),
                         arena))
            return true;
    return false;
}

/* As search_answer, search_call and search_destinations look, with every item taken for private and
 * untrusted. */
bool check_text_matters(struct trace *items, struct span body, bool answer, struct arena *arena)
{
    struct trace_found found;
    struct strings strings = {0};
    struct link *links = NULL;
    size_t count = 0;
    bool matters = false;
    if (answer) {
        links_find(body, arena, &links, &count, &matters);
        for (size_t i = 0; !matters && i < count; i++) {
            size_t behind = (size_t)(links[i].host.at - links[i].url.at) + links[i].host.len;
            matters = tail_matters(items, span_sub(links[i].url, behind, links[i].url.len), arena);
        }
        return matters;
    }
    trace_match_json(items, body, 0, arena, &found);
    for (size_t i = 0; !matters && i < found.count; i++)
        matters = is_leak(&found.hits[i], span_sub(body, found.hits[i].at, found.hits[i].len));
    strings_read(&strings, body, arena);
    for (size_t i = 0; !matters && i < strings.count; i++)
        matters = string_matters(items, strings.items[i].text, arena);
    strings_finish(&strings);
    return matters || found.capped;
}

/* ---- a step ---- */

static uint32_t tag_of(const struct replay_out *out)
{
    return (label_is_private(out->label) ? TAG_PRIVATE : 0u) |
           (out->label.integrity == UNTRUSTED ? TAG_UNTRUSTED : 0u);
}

void check_leaks(struct look *look)
{
    switch (look->step->kind) {
    case STEP_PROMPT: {
        bool system = span_is(look->step->tool, "system");
        check_leak_keep(look, system ? TRACE_SYSTEM : TRACE_PROMPT, 0);
        if (!system)
            leaks_of(look)->any_prompt = true;
        break;
    }
    case STEP_TOOL_RESULT:
        check_leak_keep(look, TRACE_RESULT, tag_of(look->out));
        break;
    case STEP_RESOURCE:
        check_leak_keep(look, TRACE_RESOURCE, tag_of(look->out));
        break;
    case STEP_PROMPT_GET:
        check_leak_keep(look, TRACE_PROMPT_GET, tag_of(look->out));
        break;
    case STEP_DEFINITIONS:
        check_leak_keep(look, TRACE_DEFINITIONS, TAG_DEFINITION);
        break;
    case STEP_INSTRUCTIONS:
        check_leak_keep(look, TRACE_INSTRUCTIONS, TAG_DEFINITION);
        break;
    case STEP_TOOL_CALL:
        if (look->checks->leaks && (look->out->role || lets_out(look))) {
            if (look->checks->leaks->tainted)
                search_call(look);
            if (lets_out(look))
                search_destinations(look);
        }
        /* What the model said first is no leak when it comes back. */
        check_leak_keep(look, TRACE_CALL, 0);
        break;
    case STEP_ASSISTANT:
        if (look->checks->leaks && look->checks->leaks->tainted)
            search_answer(look);
        check_leak_keep(look, TRACE_ASSISTANT, 0);
        break;
    default:
        break;
    }
}
