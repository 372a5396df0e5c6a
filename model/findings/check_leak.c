/*
 * Text that left (EX): passages of an earlier private item in the arguments of
 * a call that lets something out, or in a rendered address; passages of an
 * untrusted item in a call with consequences; destinations that only untrusted
 * text names.
 *
 * Earlier texts are kept folded (lower case, everything but letters and digits
 * one blank) and indexed by passages of GRAM bytes; a hit is widened as far as
 * both sides agree. Percent, base64 and hex are undone first.
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/findings/check_inside.h"
#include "model/flow/match.h"

enum {
    GRAM = 12,
    WINDOW = 4,             /* of that many passages in a row one is indexed: 15 bytes are never missed */
    INDEX_SLOTS = 1 << 20,
    FILTER_BITS = 1 << 22,
    PASSAGE = 24,           /* folded bytes that are no coincidence */
    PASSAGE_TOKEN = 12,     /* the same, of a code word or key */
    PASSAGE_UNTRUSTED = 28, /* strangers' words may be answered in their own words */
    TEXT_MAX = 256 * 1024,  /* of one item */
    KEPT_MAX = 32 << 20,    /* of all items; the oldest are forgotten */
    SOURCES_MAX = 8,        /* of one finding */
    DESTINATIONS_MAX = 64,  /* of one call */
};

struct segment { /* of an item: which string of its body the folded text comes from */
    uint32_t begin;
    struct span pointer;
};

struct item {
    int64_t n;
    bool is_private, untrusted, definition, prompt;
    struct span server;
    char *text; /* folded; strings are separated by line breaks. NULL: forgotten */
    uint32_t len;
    struct segment *segments;
    size_t segment_count;
};

struct slot {
    uint32_t item; /* + 1 */
    uint32_t offset;
};

struct leaks {
    struct arena arena;
    struct item *items;
    size_t count, size, oldest;
    size_t kept;
    struct slot *index;
    uint8_t *prompted, *own; /* filters over passages: of prompts; of what the agent itself wrote */
    bool any_prompt;
};

void leaks_destroy(struct leaks *leaks)
{
    if (!leaks)
        return;
    for (size_t i = 0; i < leaks->count; i++)
        mem_free(leaks->items[i].text);
    mem_free(leaks->items);
    mem_free(leaks->index);
    mem_free(leaks->prompted);
    mem_free(leaks->own);
    arena_finish(&leaks->arena);
    mem_free(leaks);
}

static struct leaks *leaks_of(const struct look *look)
{
    struct checks *checks = look->checks;
    if (!checks->leaks) {
        checks->leaks = NEW(struct leaks);
        checks->leaks->index = NEW_ARRAY(struct slot, INDEX_SLOTS);
        checks->leaks->prompted = NEW_ARRAY(uint8_t, FILTER_BITS / 8);
        checks->leaks->own = NEW_ARRAY(uint8_t, FILTER_BITS / 8);
    }
    return checks->leaks;
}

/* ---- folding ---- */

struct folded {
    struct buf text;
    uint32_t *origin; /* offset in the text folded, for each byte */
    size_t size;
};

static void folded_add(struct folded *f, char c, size_t origin)
{
    buf_byte(&f->text, c);
    if (f->text.len > f->size) {
        f->size = f->size ? f->size * 2 : 256;
        f->origin = mem_resize(f->origin, f->size * sizeof *f->origin);
    }
    f->origin[f->text.len - 1] = (uint32_t)origin;
}

static void folded_finish(struct folded *f)
{
    buf_finish(&f->text);
    mem_free(f->origin);
}

/* Letters, digits and everything beyond ASCII stay; an escape of JSON or C inside text is a blank. */
static void fold(struct folded *f, struct span text)
{
    size_t begin = f->text.len;
    for (size_t i = 0; i < text.len && f->text.len < TEXT_MAX; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (isalnum(c) || c >= 0x80) {
            folded_add(f, (char)tolower(c), i);
            continue;
        }
        if (c == '\\' && i + 1 < text.len && strchr("nrtbfv0\"\\/", text.at[i + 1]))
            i++;
        if (f->text.len > begin && f->text.at[f->text.len - 1] != ' ')
            folded_add(f, ' ', i);
    }
}

static uint32_t gram_hash(const char *at)
{
    uint64_t a;
    uint32_t b;
    memcpy(&a, at, 8);
    memcpy(&b, at + 8, 4);
    a = (a ^ b * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    return (uint32_t)((a ^ a >> 29) * 0xc4ceb9fe1a85ec53ull >> 32);
}

static bool gram_whole(const char *at)
{
    return !memchr(at, '\n', GRAM);
}

static void filter_set(uint8_t *filter, uint32_t hash)
{
    filter[hash % FILTER_BITS / 8] |= (uint8_t)(1u << (hash & 7));
}

static bool filter_has(const uint8_t *filter, uint32_t hash)
{
    return filter[hash % FILTER_BITS / 8] >> (hash & 7) & 1;
}

static void filter_text(uint8_t *filter, struct span text)
{
    for (size_t i = 0; i + GRAM <= text.len; i++)
        filter_set(filter, gram_hash(text.at + i));
}

/* ---- keeping items ---- */

static void forget(struct leaks *leaks)
{
    while (leaks->kept > KEPT_MAX && leaks->oldest < leaks->count) {
        struct item *item = &leaks->items[leaks->oldest++];
        leaks->kept -= item->len;
        mem_free(item->text);
        item->text = NULL;
    }
}

static void index_gram(struct leaks *leaks, uint32_t item, uint32_t offset)
{
    const char *text = leaks->items[item].text + offset;
    uint32_t hash = gram_hash(text);
    struct slot *slot = &leaks->index[hash % INDEX_SLOTS];
    if (filter_has(leaks->prompted, hash) || filter_has(leaks->own, hash))
        return; /* the user or the agent said it first */
    if (slot->item) {
        const struct item *old = &leaks->items[slot->item - 1];
        if (old->text && slot->offset + GRAM <= old->len &&
            memcmp(old->text + slot->offset, text, GRAM) == 0 &&
            (old->is_private || !leaks->items[item].is_private))
            return; /* the first who said it is the origin */
    }
    *slot = (struct slot){item + 1, offset};
}

/* Winnowing: of each window of passages the one with the smallest hash. */
static void index_item(struct leaks *leaks, uint32_t which)
{
    const struct item *item = &leaks->items[which];
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i + GRAM <= item->len; i++) {
        uint32_t best = UINT32_MAX, best_hash = UINT32_MAX;
        for (uint32_t j = i; j < i + WINDOW && j + GRAM <= item->len; j++) {
            if (!gram_whole(item->text + j))
                continue;
            uint32_t hash = gram_hash(item->text + j);
            if (best == UINT32_MAX || hash <= best_hash) {
                best = j;
                best_hash = hash;
            }
        }
        if (best != UINT32_MAX && best != last)
            index_gram(leaks, which, last = best);
    }
}

static void keep(struct look *look, struct item item)
{
    struct leaks *leaks = leaks_of(look);
    const struct strings *strings = look_strings(look);
    struct folded folded = {0};
    item.segments = arena_array(&leaks->arena, strings->count + 1, sizeof *item.segments);
    for (size_t i = 0; i < strings->count && folded.text.len < TEXT_MAX; i++) {
        uint32_t begin = (uint32_t)folded.text.len;
        fold(&folded, strings->items[i].text);
        if (folded.text.len == begin)
            continue;
        folded_add(&folded, '\n', 0);
        item.segments[item.segment_count++] =
            (struct segment){begin, arena_copy(&leaks->arena, strings->items[i].pointer)};
    }
    if (folded.text.len) {
        item.len = (uint32_t)folded.text.len;
        item.text = mem_alloc(folded.text.len);
        memcpy(item.text, folded.text.at, folded.text.len);
        item.server = arena_copy(&leaks->arena, look->step->server);
        if (leaks->count == leaks->size) {
            leaks->size = leaks->size ? leaks->size * 2 : 64;
            leaks->items = mem_resize(leaks->items, leaks->size * sizeof *leaks->items);
        }
        leaks->items[leaks->count++] = item;
        leaks->kept += item.len;
        if (item.prompt)
            filter_text(leaks->prompted, (struct span){item.text, item.len});
        else if (!item.definition)
            index_item(leaks, (uint32_t)(leaks->count - 1));
        forget(leaks);
    }
    folded_finish(&folded);
}

/* ---- looking for passages ---- */

struct passage {
    uint32_t item;
    uint32_t source;       /* offset in the item's folded text */
    size_t begin, length;  /* in the folded text that was looked at */
};

struct search {
    struct look *look;
    struct leaks *leaks;
    bool want_private;         /* else untrusted */
    size_t least;              /* folded bytes */
    struct finding_evidence evidence[1 + SOURCES_MAX];
    size_t count;
    struct buf sample;         /* of the first passage, as it was written */
    size_t sources[SOURCES_MAX];
    size_t source_count, passages;
};

static bool wanted(const struct search *s, const struct item *item)
{
    return s->want_private ? item->is_private : item->untrusted;
}

static bool find_passage(const struct search *s, struct span text, size_t at, struct passage *found)
{
    const struct leaks *leaks = s->leaks;
    const struct slot *slot = &leaks->index[gram_hash(text.at + at) % INDEX_SLOTS];
    if (!slot->item)
        return false;
    const struct item *item = &leaks->items[slot->item - 1];
    if (!item->text || !wanted(s, item) || slot->offset + GRAM > item->len ||
        memcmp(item->text + slot->offset, text.at + at, GRAM) != 0)
        return false;
    size_t begin = at, end = at + GRAM, from = slot->offset, to = slot->offset + GRAM;
    while (begin && from && text.at[begin - 1] == item->text[from - 1] && text.at[begin - 1] != '\n')
        begin--, from--;
    while (end < text.len && to < item->len && text.at[end] == item->text[to] && text.at[end] != '\n')
        end++, to++;
    while (end > begin && text.at[end - 1] == ' ')
        end--;
    while (begin < end && text.at[begin] == ' ')
        begin++, from++;
    *found = (struct passage){slot->item - 1, (uint32_t)from, begin, end - begin};
    return true;
}

/* Is it all in what the user said? */
static bool prompted(const struct leaks *leaks, struct span passage)
{
    if (passage.len < GRAM)
        return false;
    for (size_t i = 0; i + GRAM <= passage.len; i++)
        if (!filter_has(leaks->prompted, gram_hash(passage.at + i)))
            return false;
    return true;
}

/* A code word or a key: three capitals in a row, or a word of letters and digits. */
static bool is_token(struct span written)
{
    size_t capitals = 0, letters = 0, digits = 0;
    for (size_t i = 0; i < written.len; i++) {
        unsigned char c = (unsigned char)written.at[i];
        capitals = isupper(c) ? capitals + 1 : 0;
        if (!isalnum(c))
            letters = digits = 0;
        letters += isalpha(c) != 0;
        digits += isdigit(c) != 0;
        if (capitals >= 3 || (letters >= 3 && digits >= 2 && letters + digits >= 8))
            return true;
    }
    return false;
}

static void note_source(struct search *s, const struct passage *p)
{
    for (size_t i = 0; i < s->source_count; i++)
        if (s->sources[i] == p->item)
            return;
    if (s->source_count == SOURCES_MAX)
        return;
    const struct item *item = &s->leaks->items[p->item];
    size_t segment = 0;
    while (segment + 1 < item->segment_count && item->segments[segment + 1].begin <= p->source)
        segment++;
    s->sources[s->source_count++] = p->item;
    s->evidence[s->count++] = (struct finding_evidence){
        .n = item->n,
        .pointer = item->segment_count ? item->segments[segment].pointer : SPAN_EMPTY,
        .offset = p->source - (item->segment_count ? item->segments[segment].begin : 0),
        .length = p->length,
    };
}

/* Looks through one text of the step; `pointer` is where it stands. `direct`: offsets in it are
 * offsets in the step's own string, which they are not after decoding. */
static void search_text(struct search *s, struct span text, struct span pointer, bool direct)
{
    struct folded folded = {0};
    fold(&folded, text);
    struct span f = {folded.text.len ? folded.text.at : "", folded.text.len};
    for (size_t i = 0; i + GRAM <= f.len; i++) {
        struct passage p;
        if (!find_passage(s, f, i, &p))
            continue;
        size_t first = folded.origin[p.begin], last = folded.origin[p.begin + p.length - 1];
        struct span written = span_sub(text, first, last - first + 1);
        bool long_enough = p.length >= s->least ||
                           (s->want_private && p.length >= PASSAGE_TOKEN && is_token(written));
        if (long_enough && !prompted(s->leaks, span_sub(f, p.begin, p.length))) {
            if (!s->passages++) {
                s->evidence[0] = (struct finding_evidence){
                    .n = s->look->step->n, .pointer = pointer, .offset = direct ? first : 0,
                    .length = direct ? written.len : text.len};
                s->count = s->count ? s->count : 1;
                text_safe(&s->sample, span_sub(written, 0, 80));
            }
            note_source(s, &p);
        }
        i = p.begin + p.length > i ? p.begin + p.length - 1 : i;
    }
    folded_finish(&folded);
}

/* ---- decoding ---- */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode_percent(struct span text, struct buf *out)
{
    bool any = false;
    for (size_t i = 0; i < text.len; i++) {
        int high = text.at[i] == '%' && i + 2 < text.len ? hex_value(text.at[i + 1]) : -1;
        int low = high >= 0 ? hex_value(text.at[i + 2]) : -1;
        if (low >= 0) {
            buf_byte(out, (char)(high << 4 | low));
            i += 2;
            any = true;
        } else {
            buf_byte(out, text.at[i] == '+' ? ' ' : text.at[i]);
        }
    }
    return any;
}

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static bool readable(struct span text)
{
    size_t good = 0;
    for (size_t i = 0; i < text.len; i++)
        good += (text.at[i] >= ' ' && text.at[i] < 0x7f) || text.at[i] == '\n';
    return text.len >= GRAM && good * 10 >= text.len * 9;
}

static void decode_base64(struct span run, struct buf *out)
{
    uint32_t bits = 0;
    int count = 0;
    for (size_t i = 0; i < run.len; i++) {
        bits = bits << 6 | (uint32_t)base64_value(run.at[i]);
        if (++count == 4) {
            buf_byte(out, (char)(bits >> 16));
            buf_byte(out, (char)(bits >> 8));
            buf_byte(out, (char)bits);
            count = 0;
        }
    }
    if (count == 3) {
        buf_byte(out, (char)(bits >> 10));
        buf_byte(out, (char)(bits >> 2));
    } else if (count == 2) {
        buf_byte(out, (char)(bits >> 4));
    }
}

static void decode_hex(struct span run, struct buf *out)
{
    for (size_t i = 0; i + 1 < run.len; i += 2) {
        int high = hex_value(run.at[i]), low = hex_value(run.at[i + 1]);
        if (high < 0 || low < 0)
            return;
        buf_byte(out, (char)(high << 4 | low));
    }
}

/* Long runs of base64 or hex are undone, and what they say is looked through as well. */
static void search_runs(struct search *s, struct span text, struct span pointer)
{
    enum { RUN_MIN = 16 };
    struct buf decoded = {0};
    for (size_t i = 0; i < text.len; i++) {
        size_t end = i;
        while (end < text.len && base64_value(text.at[end]) >= 0)
            end++;
        struct span run = span_sub(text, i, end - i);
        if (run.len >= RUN_MIN) {
            void (*const decoders[])(struct span, struct buf *) = {decode_base64, decode_hex};
            for (size_t d = 0; d < COUNT_OF(decoders); d++) {
                buf_clear(&decoded);
                decoders[d](run, &decoded);
                if (readable(buf_span(&decoded)))
                    search_text(s, buf_span(&decoded), pointer, false);
            }
        }
        i = end;
    }
    buf_finish(&decoded);
}

static void search_all_forms(struct search *s, struct span text, struct span pointer)
{
    struct buf plain = {0};
    search_text(s, text, pointer, true);
    if (decode_percent(text, &plain))
        search_text(s, buf_span(&plain), pointer, false);
    buf_finish(&plain);
    search_runs(s, text, pointer);
}

/* ---- findings ---- */

static void tell(struct search *s, enum code code, int severity, const char *what)
{
    struct look *look = s->look;
    if (s->passages) {
        finding_add(look, code, severity, s->evidence, s->count,
                    "%zu %s of %s in %s: \"%s\"", s->passages,
                    s->passages == 1 ? "passage" : "passages",
                    s->source_count == 1 ? "an earlier item" : "earlier items", what,
                    buf_cstr(&s->sample));
        /* A violation whose leaked text was found is above one without. */
        if (s->want_private && look->policy_finding && look->step->outcome != OUTCOME_REFUSED) {
            struct finding *violation = &look->checks->findings[look->policy_finding - 1];
            int said;
            if (violation->severity == SEVERITY_HIGH &&
                !policy_severity(look->checks->policy, violation->code->code, &said))
                violation->severity = SEVERITY_CRITICAL;
        }
    }
    buf_finish(&s->sample);
}

static int severity_of_leak(const struct look *look)
{
    if (look->step->outcome == OUTCOME_REFUSED)
        return SEVERITY_LOW;
    return look->step->outcome == OUTCOME_FAILED ? SEVERITY_MEDIUM : SEVERITY_DEFAULT;
}

/* Does a call take something out? By its role, by its own hint, or by what it really does. */
static bool lets_out(const struct look *look)
{
    const struct hints *hints = &look->step->hints;
    return (look->out->role & ROLE_EGRESS) || look->contradicts ||
           (hints->defined && hints->open_world == TRI_TRUE);
}

static void search_call(struct look *look)
{
    struct leaks *leaks = look->checks->leaks;
    const struct strings *strings = look_strings(look);
    struct search out = {.look = look, .leaks = leaks, .want_private = true, .least = PASSAGE};
    struct search act = {.look = look, .leaks = leaks, .least = PASSAGE_UNTRUSTED};
    bool leaves = lets_out(look), acts = look->out->role & ROLE_CONSEQUENTIAL;
    for (size_t i = 0; i < strings->count; i++) {
        const struct string_at *s = &strings->items[i];
        if (leaves)
            search_all_forms(&out, s->text, s->pointer);
        if (acts)
            search_all_forms(&act, s->text, s->pointer);
    }
    if (out.passages) /* the same passages as untrusted text would say less */
        act.passages = 0;
    tell(&out, CODE_EX01, severity_of_leak(look), "the arguments");
    tell(&act, CODE_EX04, severity_of_leak(look), "the arguments");
}

/* Only the addresses of an answer leave; the rest of it is for the user. */
static void search_answer(struct look *look)
{
    struct search s = {.look = look, .leaks = look->checks->leaks, .want_private = true,
                       .least = PASSAGE};
    const struct strings *strings = look_strings(look);
    for (size_t i = 0; i < strings->count; i++) {
        struct span rest = strings->items[i].text, url, host;
        while (url_next(&rest, &url, &host)) {
            size_t behind = (size_t)(host.at - url.at) + host.len;
            search_all_forms(&s, span_sub(url, behind, url.len), strings->items[i].pointer);
        }
    }
    tell(&s, CODE_EX02, SEVERITY_DEFAULT, "the address of a link or image");
}

/* ---- destinations ---- */

static bool item_names(const struct item *item, struct span name)
{
    struct span text = {item->text, item->len};
    for (size_t from = 0; from < text.len;) {
        size_t at = from + span_find(span_sub(text, from, text.len), name);
        if (at >= text.len)
            return false;
        size_t end = at + name.len;
        if ((at == 0 || !isalnum((unsigned char)text.at[at - 1])) &&
            (end == text.len || !isalnum((unsigned char)text.at[end])))
            return true;
        from = at + 1;
    }
    return false;
}

static void search_destination(struct look *look, struct span name, struct span pointer)
{
    struct leaks *leaks = look->checks->leaks;
    struct folded folded = {0};
    const struct item *from = NULL;
    bool elsewhere = false;
    fold(&folded, name);
    while (folded.text.len && folded.text.at[folded.text.len - 1] == ' ')
        folded.text.len--;
    for (size_t i = 0; i < leaks->count && !elsewhere && folded.text.len >= 6; i++) {
        const struct item *item = &leaks->items[i];
        if (!item->text || !item_names(item, buf_span(&folded.text)))
            continue;
        elsewhere = item->prompt || (!item->untrusted && !item->definition);
        from = from ? from : item;
    }
    if (from && !elsewhere && (leaks->any_prompt || from->definition)) {
        struct buf safe = {0};
        struct finding_evidence evidence[2] = {evidence_here(look, pointer),
                                               {.n = from->n, .pointer = SPAN_EMPTY}};
        text_safe(&safe, span_sub(name, 0, 100));
        finding_add(look, CODE_EX03, look->step->outcome == OUTCOME_REFUSED ? SEVERITY_LOW
                                                                            : SEVERITY_DEFAULT,
                    evidence, 2, "%s is named by %s of step %lld and by no prompt", buf_cstr(&safe),
                    from->definition ? "the definitions" : "the untrusted item",
                    (long long)from->n);
        buf_finish(&safe);
    }
    folded_finish(&folded);
}

/* Hosts of URLs, addresses with @, and numbers to call. */
static bool is_address(struct span text)
{
    size_t digits = 0;
    if (text.len < 6 || text.len > 200)
        return false;
    if (span_find_byte(text, '@') < text.len && span_find_byte(text, ' ') == text.len)
        return true;
    for (size_t i = 0; i < text.len; i++) {
        if (!isdigit((unsigned char)text.at[i]) && !strchr(" +-()/.", text.at[i]))
            return false;
        digits += isdigit((unsigned char)text.at[i]) != 0;
    }
    return digits >= 7;
}

static void search_destinations(struct look *look)
{
    const struct strings *strings = look_strings(look);
    size_t seen = 0;
    for (size_t i = 0; i < strings->count && seen < DESTINATIONS_MAX; i++) {
        struct span rest = strings->items[i].text, url, host;
        if (is_address(rest)) {
            seen++;
            search_destination(look, rest, strings->items[i].pointer);
        }
        if (rest.len > 2000) /* a text about addresses, not one */
            continue;
        while (seen++ < DESTINATIONS_MAX && url_next(&rest, &url, &host))
            search_destination(look, host, strings->items[i].pointer);
    }
}

/* ---- a step ---- */

static void keep_own_words(struct look *look)
{
    struct leaks *leaks = leaks_of(look);
    const struct strings *strings = look_strings(look);
    for (size_t i = 0; i < strings->count; i++) {
        struct folded folded = {0};
        fold(&folded, strings->items[i].text);
        filter_text(leaks->own, (struct span){folded.text.at, folded.text.len});
        folded_finish(&folded);
    }
}

void check_leaks(struct look *look)
{
    const struct replay_out *out = look->out;
    bool tainted = out->has_label &&
                   (label_is_private(out->label) || out->label.integrity == UNTRUSTED);
    switch (look->step->kind) {
    case STEP_PROMPT:
        if (span_is(look->step->tool, "system"))
            break;
        keep(look, (struct item){.n = look->step->n, .prompt = true});
        leaks_of(look)->any_prompt = true;
        break;
    case STEP_TOOL_RESULT:
    case STEP_RESOURCE:
    case STEP_PROMPT_GET:
        if (tainted)
            keep(look, (struct item){.n = look->step->n,
                                     .is_private = label_is_private(out->label),
                                     .untrusted = out->label.integrity == UNTRUSTED});
        break;
    case STEP_DEFINITIONS:
        keep(look, (struct item){.n = look->step->n, .definition = true});
        break;
    case STEP_TOOL_CALL:
        if (look->checks->leaks && (out->role || lets_out(look))) {
            search_call(look);
            if (lets_out(look))
                search_destinations(look);
        }
        keep_own_words(look);
        break;
    case STEP_ASSISTANT:
        if (look->checks->leaks)
            search_answer(look);
        break;
    default:
        break;
    }
}
