#include "model/evidence/diagnose.h"

#include "base/text.h"

/* The words of every choice. */

struct diagnosis_choice {
    const char *phrase, *advice;
};

#define X(id, phrase, advice) {phrase, advice},
#define D(id, values)         static const struct diagnosis_choice style_##id[] = {values(X)};
STYLE_DIMENSIONS(D)
#undef D
static const struct diagnosis_choice forms[] = {DIAGNOSIS_FORMS(X)};
static const struct diagnosis_choice diagnosis_ends[] = {DIAGNOSIS_ENDS(X)};
static const struct diagnosis_choice cbor_orders[] = {DIAGNOSIS_CBOR_ORDERS(X)};
static const struct diagnosis_choice cbor_numbers[] = {DIAGNOSIS_CBOR_NUMBERS(X)};
static const struct diagnosis_choice cbor_tags[] = {DIAGNOSIS_CBOR_TAGS(X)};
static const struct diagnosis_choice diagnosis_hash_choices[] = {DIAGNOSIS_HASHES(X)};
#undef X

static const struct diagnosis_choice *const style_choices[STYLE_DIMENSION_COUNT] = {
#define D(id, values) style_##id,
    STYLE_DIMENSIONS(D)
#undef D
};

/* Every choice of a diagnosis that isn't the canonical one. */
static size_t list_choices(const struct diagnosis *d, const struct diagnosis_choice *list[16])
{
    size_t count = 0;
    list[count] = &forms[d->form];
    count += d->form > DIAGNOSIS_FORM_CBOR;
    for (size_t i = 0; i < STYLE_DIMENSION_COUNT; i++)
        if (d->style.choice[i])
            list[count++] = &style_choices[i][d->style.choice[i]];
    if (d->cbor_order)
        list[count++] = &cbor_orders[d->cbor_order];
    if (d->cbor_numbers)
        list[count++] = &cbor_numbers[d->cbor_numbers];
    if (d->cbor_tag)
        list[count++] = &cbor_tags[d->cbor_tag];
    if (d->end)
        list[count++] = &diagnosis_ends[d->end];
    if (d->hash)
        list[count++] = &diagnosis_hash_choices[d->hash];
    return count;
}

/* Is what was hashed of the other canonicalization than the one declared? */
static bool crossed(const struct diagnosis *d)
{
    return (d->form == DIAGNOSIS_FORM_CBOR) != (d->declared == CANON_CBOR) &&
           d->form <= DIAGNOSIS_FORM_CBOR;
}

void diagnosis_cause(struct buf *out, const struct diagnosis *d)
{
    const struct diagnosis_choice *list[16];
    size_t count = list_choices(d, list);
    buf_puts(out, "matches if ");
    if (crossed(d))
        buf_addf(out, "it is %s%s", d->form == DIAGNOSIS_FORM_CBOR ? "CBOR" : "JSON",
                 count ? ", " : "");
    for (size_t i = 0; i < count; i++)
        buf_addf(out, "%s%s", i ? ", " : "", list[i]->phrase);
    if (d->hash == DIAGNOSIS_HASH_OTHER)
        buf_addf(out, ": %s", digest_algorithm_name(d->algorithm));
    if (d->form == DIAGNOSIS_FORM_MEMBER || d->form == DIAGNOSIS_FORM_MEMBER_TEXT) {
        buf_puts(out, ": ");
        text_safe(out, d->member);
    }
}

void diagnosis_advice(struct buf *out, const struct diagnosis *d)
{
    const struct diagnosis_choice *list[16];
    size_t count = list_choices(d, list);
    buf_puts(out, "the producer should ");
    if (crossed(d))
        buf_addf(out, "declare the canonicalization it uses%s", count ? "; " : "");
    for (size_t i = 0; i < count; i++) {
        bool said = false;
        for (size_t k = 0; k < i; k++)
            said |= strcmp(list[k]->advice, list[i]->advice) == 0;
        if (!said)
            buf_addf(out, "%s%s", i ? "; " : "", list[i]->advice);
    }
}
