/* Labels: the laws of the lattice over random labels, and its texts. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "model/case/step.h"
#include "model/flow/label.h"
#include "tests/unit/numbers.h"

static struct numbers numbers = {0x5eed};

static unsigned draw(unsigned below)
{
    return (unsigned)numbers_below(&numbers, below);
}

static set_id random_set(struct label_pool *pool)
{
    static const char *const names[] = {"alice", "bob", "carol", "dan", "a", "aa", "", "\xff"};
    set_id set = 0;
    for (unsigned n = draw(5); n; n--)
        set = set_add(pool, set, span_of(names[draw(COUNT_OF(names))]));
    return set;
}

static struct label random_label(struct label_pool *pool)
{
    return (struct label){
        .integrity = draw(2) ? UNTRUSTED : TRUSTED,
        .readers = draw(3) ? random_set(pool) : READERS_EVERYONE,
        .markers = draw(2) ? random_set(pool) : 0,
        .class = (enum data_class)draw(5),
        .other_classes = draw(3) ? 0 : random_set(pool),
        .scopes = draw(3) ? 0 : random_set(pool),
    };
}

Test(label, laws)
{
    struct label_pool *pool = label_pool_create();
    for (int i = 0; i < 20000; i++) {
        struct label a = random_label(pool), b = random_label(pool), c = random_label(pool);
        struct label ab = label_join(pool, a, b);
        cr_assert(label_equal(label_join(pool, ab, c), label_join(pool, a, label_join(pool, b, c))),
                  "associative");
        cr_assert(label_equal(ab, label_join(pool, b, a)), "commutative");
        cr_assert(label_equal(label_join(pool, a, a), a), "idempotent");
        cr_assert(label_equal(label_join(pool, a, LABEL_PUBLIC), a), "identity");
        cr_assert(label_flows_to(pool, a, ab) && label_flows_to(pool, b, ab), "upper bound");
        cr_assert(label_flows_to(pool, a, a), "reflexive");
        cr_assert(label_flows_to(pool, LABEL_PUBLIC, a), "public is the bottom");
        if (label_flows_to(pool, a, c) && label_flows_to(pool, b, c))
            cr_assert(label_flows_to(pool, ab, c), "least upper bound");
        if (label_flows_to(pool, a, b) && label_flows_to(pool, b, c))
            cr_assert(label_flows_to(pool, a, c), "transitive");
        /* Tags take no part in the order, so that two labels below each other may differ in them.
         */
        bool same = a.integrity == b.integrity && a.readers == b.readers && a.markers == b.markers;
        cr_assert_eq(label_flows_to(pool, a, b) && label_flows_to(pool, b, a), same,
                     "antisymmetric");
        bool absorbed =
            ab.integrity == b.integrity && ab.readers == b.readers && ab.markers == b.markers;
        cr_assert_eq(label_flows_to(pool, a, b), absorbed, "order agrees with join");
    }
    label_pool_destroy(pool);
}

Test(label, sets)
{
    struct label_pool *pool = label_pool_create();
    struct span ab[] = {SPAN("b"), SPAN("a"), SPAN("b")}, ba[] = {SPAN("a"), SPAN("b")};
    cr_assert_eq(set_of(pool, NULL, 0), 0u);
    cr_assert_eq(set_of(pool, ab, 3), set_of(pool, ba, 2), "order and doubles don't matter");
    set_id set = set_of(pool, ba, 2);
    cr_assert_eq(set_size(pool, set), 2u);
    cr_assert(span_is(set_member(pool, set, 0), "a"));
    cr_assert(set_has(pool, set, SPAN("b")) && !set_has(pool, set, SPAN("c")));
    cr_assert(set_within(pool, set_of(pool, ba, 1), set));
    cr_assert(!set_within(pool, set, set_of(pool, ba, 1)));
    /* Many sets of many members: the tables grow, and equal stays equal. */
    char name[32];
    set_id chain = 0;
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "m%d", i);
        chain = set_add(pool, chain, span_of(name));
        cr_assert(set_has(pool, chain, span_of(name)));
    }
    set_id again = 0;
    for (int i = 2999; i >= 0; i--) {
        snprintf(name, sizeof name, "m%d", i);
        again = set_add(pool, again, span_of(name));
    }
    cr_assert_eq(chain, again);
    cr_assert_eq(set_size(pool, chain), 3000u);
    label_pool_destroy(pool);
}

Test(label, texts)
{
    static const struct {
        const char *short_form, *text, *json;
    } cases[] = {
        {"trusted", "trusted, public",
         "{\"integrity\": \"trusted\", \"confidentiality\": {\"readers\": \"everyone\", "
         "\"markers\": []}, \"class\": null, \"scopes\": []}"},
        {"untrusted,private:github:acme/payroll", "untrusted, private (github:acme/payroll)",
         "{\"integrity\": \"untrusted\", \"confidentiality\": {\"readers\": \"everyone\", "
         "\"markers\": [\"github:acme/payroll\"]}, \"class\": null, \"scopes\": []}"},
        {"readers:bob+alice, class:confidential, scope:hipaa",
         "trusted, readers alice, bob, confidential [hipaa]",
         "{\"integrity\": \"trusted\", \"confidentiality\": {\"readers\": [\"alice\", \"bob\"], "
         "\"markers\": []}, \"class\": \"confidential\", \"scopes\": [\"hipaa\"]}"},
        {"untrusted,nobody", "untrusted, readable by nobody",
         "{\"integrity\": \"untrusted\", \"confidentiality\": {\"readers\": [], \"markers\": []}, "
         "\"class\": null, \"scopes\": []}"},
    };
    struct label_pool *pool = label_pool_create();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct label l, back;
        struct buf text = {0}, json = {0};
        cr_assert(label_parse(pool, span_of(cases[i].short_form), &l), "%s", cases[i].short_form);
        label_text(&text, pool, l);
        cr_assert_str_eq(buf_cstr(&text), cases[i].text);
        label_json(&json, pool, l);
        cr_assert_str_eq(buf_cstr(&json), cases[i].json);
        cr_assert(label_parse(pool, buf_span(&json), &back) && label_equal(l, back));
        buf_finish(&text);
        buf_finish(&json);
    }
    static const char *const bad[] = {
        "",         "secret", "trusted;public",     "class:odd",
        "readers:", "{",      "{\"integrity\": 1}", "{\"scopes\": \"x\"}"};
    struct label l;
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_assert_not(label_parse(pool, span_of(bad[i]), &l), "%s", bad[i]);
    /* Whatever a label holds comes back from its JSON. */
    for (int i = 0; i < 2000; i++) {
        struct label a = random_label(pool), back;
        struct buf json = {0};
        if (set_has(pool, a.markers, SPAN("\xff")) || set_has(pool, a.scopes, SPAN("\xff")) ||
            set_has(pool, a.other_classes, SPAN("\xff")) ||
            (a.readers != READERS_EVERYONE && set_has(pool, a.readers, SPAN("\xff"))))
            continue; /* bytes that JSON can't hold */
        label_json(&json, pool, a);
        cr_assert(label_parse(pool, buf_span(&json), &back) && label_equal(a, back));
        buf_finish(&json);
    }
    label_pool_destroy(pool);
}

Test(step, words)
{
    for (int i = 0; i < STEP_KIND_COUNT; i++) {
        enum step_kind kind;
        cr_assert(step_kind_of(span_of(step_kind_word((enum step_kind)i)), &kind));
        cr_assert_eq((int)kind, i);
    }
    enum step_kind kind;
    enum outcome outcome;
    cr_assert_not(step_kind_of(SPAN("tool"), &kind));
    cr_assert(outcome_of(SPAN("refused"), &outcome) && outcome == OUTCOME_REFUSED);
    cr_assert_not(outcome_of(SPAN(""), &outcome));
}
