/* Destinations that only untrusted text names (EX03). */
#include "base/ascii.h"
#include "base/text.h"
#include "model/findings/check_leak_internal.h"
#include "model/flow/match.h"

enum { DESTINATIONS_MAX = 64 /* of one call */ };

const struct trace_hit *leak_origin_of(const struct trace_found *found, struct span name)
{
    const struct trace_hit *first = found->count ? &found->hits[0] : NULL;
    size_t covered = 0;
    for (size_t i = 0; i < found->count; i++) {
        const struct trace_hit *hit = &found->hits[i];
        if (leak_from_user(hit) || hit->n != first->n || hit->offset < first->offset ||
            hit->offset + hit->length > first->offset + name.len + 8)
            return NULL;
        covered += leak_letters_in(span_sub(name, hit->at, hit->len));
    }
    return covered && covered * 10 >= leak_letters_in(name) * 6 ? first : NULL;
}

static void search_destination(struct look *look, struct span name, const struct string_at *s)
{
    const struct leaks *leaks = look->checks->leaks;
    struct trace_found found;
    trace_match(leaks->trace, name, TRACE_WANT_WORDS, &look->checks->scratch, &found);
    const struct trace_hit *from = leak_origin_of(&found, name);
    if (!from || !(from->tag & (TAG_UNTRUSTED | TAG_DEFINITION)))
        return;
    if (leaks->pending_count) { /* the user may have said it too, or an item that is trusted */
        check_leak_catch_up_now(look);
        trace_match(leaks->trace, name, TRACE_WANT_WORDS, &look->checks->scratch, &found);
        from = leak_origin_of(&found, name);
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
    finding_add(look, CODE_EX03, leak_severity(look), evidence, 2,
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

bool leak_is_address(struct span text)
{
    size_t digits = 0;
    if (text.len < 6 || text.len > 200)
        return false;
    if (is_account(text))
        return true;
    if (leak_is_mail_address(text) && span_find_byte(text, ' ') == text.len)
        return true;
    for (size_t i = 0; i < text.len; i++) {
        if (!ascii_is_digit(text.at[i]) && !ascii_is_one_of(text.at[i], " +-()/."))
            return false;
        digits += ascii_is_digit(text.at[i]);
    }
    return digits >= 7;
}

void leak_search_destinations(struct look *look)
{
    enum { ADDRESS_TEXT = 2000 }; /* longer is a text about addresses, not one */
    const struct strings *strings = look_strings(look);
    size_t seen = 0;
    for (size_t i = 0; i < strings->count && seen < DESTINATIONS_MAX; i++) {
        const struct string_at *s = &strings->items[i];
        struct span rest = s->text, url, host;
        if (leak_is_address(rest)) {
            seen++;
            search_destination(look, rest, s);
        } else if (rest.len <= ADDRESS_TEXT) {
            while (seen++ < DESTINATIONS_MAX && url_next(&rest, &url, &host))
                search_destination(look, host, s);
        }
    }
}
