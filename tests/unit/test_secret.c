/* Credentials in text: what is one, what is not, and that none is shown whole. */
#include <criterion/criterion.h>

#include "base/attr.h"
#include "model/trace/secret.h"

/* Parts are put together at run time, so that no scanner takes this file for a leak. */
static const struct {
    const char *before, *secret, *more, *behind, *kind; /* kind NULL: there is none */
} cases[] = {
    {"token: ", "ghp_", "abcdefghijklmnopqrstuvwxyz0123456789", "\n", "a GitHub token"},
    {"\\n", "ghp_", "abcdefghijklmnopqrstuvwxyz0123456789", "", "a GitHub token"},
    {"x", "ghp_", "abcdefghijklmnopqrstuvwxyz0123456789", "", NULL},
    {"", "ghp_", "short", "", NULL},
    {"(", "AKIA", "ABCDEFGHIJKLMNOP", ")", "an AWS access key"},
    {"", "AKIA", "abcdefghijklmnop", "", NULL},
    {"id ", "xoxb-", "1234567890-abcdefghij", ".", "a Slack token"},
    {"", "-----BEGIN RSA PRIVATE", " KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", " and",
     "a private key"},
    {"", "-----BEGIN ", "CERTIFICATE-----\nMIIE", "", NULL},
    {"a ", "eyJhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlMTIz", " b",
     "a JSON web token"},
    {"", "eyJhbGciOiJIUzI1NiJ9", "", "", NULL},
    {"postgres://app:", "s3cr3tpw", "", "@db.example/x", "a password in an address"},
    {"https://h.example:", "8080", "", "/a@b", NULL},
    {"password = \"", "k3Zq9Lw2xV", "", "\"", "a password"},
    {"{\\\"api_key\\\": \\\"", "k3Zq9Lw2xV77", "", "\\\"}", "an API key"},
    {"AWS_SECRET_ACCESS_KEY=", "abcd1234EFGH5678", "", " ", "an access key"},
    {"Authorization: Bearer ", "abcd1234EFGH5678", "", "\r\n", "a credential"},
    {"password: ", "changeme", "", "", NULL},
    {"password: ", "${DB_PASSWORD1}", "", "", NULL},
    {"password: ", "********1a", "", "", NULL},
    {"the password is in the vault: ", "aaaa1111", "", "", NULL},
    {"count: ", "k3Zq9Lw2xV77", "", "", NULL},
    {"-----BEGIN PGP ", "x", "", "", NULL},
    {"", "-----BEGIN PGP PRIVATE", " KEY BLOCK-----\nMIIE\n-----END PGP PRIVATE KEY BLOCK-----", "",
     "a private key"},
    {"see https://", "hooks.slack.com/services/", "T0AB12CD3/B0EF45GH6/abcdEFGH1234ijklMNOP5678",
     " ", "a Slack webhook"},
    {"see https://", "hooks.slack.com/services/", "docs", " ", NULL},
    {"\"", "sk-", "abcdefghijklmnopqrstT3BlbkFJabcdefghijklmnopqrst", "\"", "an OpenAI key"},
    {"a ", "sk-", "learn-is-a-library-for-machine-learning-in-python", "", NULL},
    {"", "xoxoxo-xoxo-hugs-and-", "kisses-to-everybody", "", NULL},
    {"AccountKey=", "abcd1234EFGH5678", "", ";", "an access key"},
    {"", "password=", "", "", NULL}, /* ends where a value would begin */
};

Test(secret, shapes)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct buf text = {0}, masked = {0}, whole = {0};
        buf_addf(&whole, "%s%s", cases[i].secret, cases[i].more);
        buf_addf(&text, "%s%s%s", cases[i].before, buf_cstr(&whole), cases[i].behind);
        struct arena arena = {0};
        struct secret *found;
        size_t count;
        secrets_find(buf_span(&text), &arena, &found, &count);
        cr_expect_eq(count, cases[i].kind ? 1 : 0, "%zu: %s", i, buf_cstr(&text));
        if (count && cases[i].kind) {
            struct span at = span_sub(buf_span(&text), found->offset, found->length);
            cr_expect_str_eq(found->kind, cases[i].kind, "%zu", i);
            cr_expect(span_equal(at, buf_span(&whole)), "%zu: %.*s", i, SPAN_ARG(at));
            secret_mask(&masked, at);
            bool pem = at.at[0] == '-'; /* its heading is no part of the key */
            cr_expect_leq(masked.len - 3, pem ? at.len - 1 : at.len / 3, "%zu: %s", i,
                          buf_cstr(&masked));
            cr_expect_eq(span_find(buf_span(&masked), SPAN("MIIE")), masked.len);
        }
        arena_finish(&arena);
        buf_finish(&text);
        buf_finish(&whole);
        buf_finish(&masked);
    }
    struct secret secret;
    cr_expect(secret_named(SPAN("clientSecret"), SPAN("k3Zq9Lw2xV"), &secret));
    cr_expect_not(secret_named(SPAN("title"), SPAN("k3Zq9Lw2xV"), &secret));
}

/* The half of an AWS key that has no shape is found near its id, before it or behind it; digests,
 * longer base64 and what is far away are none. */
Test(secret, beside_an_id)
{
    static const char secret[] = "wJbl7XUtnFQMI/K7MDZNG+bPxRfiCYzQ3mPLEk9Y";
    static const struct {
        const char *before, *value, *behind;
        size_t far;
        bool found;
    } near[] = {
        {"id: ", secret, "", 10, true},
        {"", secret, ",", 10, true},
        {"\\n", secret, "\\n", 10, true},
        {"", secret, "", 400, false},
        {"", secret, "=", 10, false},
        {"", secret, "A", 10, false},
        {"x", secret, "", 10, false},
        {"", "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12", "", 10, false},
        {"", "2FD4E1C67a2d28fced849ee1bb76e7391b93eb12", "", 10, false},
        {"", "internationalizationAndLocalization12345", "", 10, false},
    };
    for (size_t i = 0; i < 2 * COUNT_OF(near); i++) {
        struct buf text = {0};
        struct arena arena = {0};
        struct secret *found;
        size_t count, k = i / 2;
        if (i % 2)
            buf_addf(&text, "%s%s ", "AKIA", "QX7RMZ3JT5VNW2KD");
        buf_fill(&text, '.', i % 2 ? near[k].far : 0);
        buf_addf(&text, " %s%s%s ", near[k].before, near[k].value, near[k].behind);
        buf_fill(&text, '.', i % 2 ? 0 : near[k].far);
        if (i % 2 == 0)
            buf_addf(&text, " %s%s", "AKIA", "QX7RMZ3JT5VNW2KD");
        secrets_find(buf_span(&text), &arena, &found, &count);
        cr_expect_eq(count, near[k].found ? 2 : 1, "%zu: %s", i, buf_cstr(&text));
        if (count == 2) {
            cr_expect_str_eq(found[i % 2].kind, "an AWS secret key");
            cr_expect(span_is(span_sub(buf_span(&text), found[i % 2].offset, found[i % 2].length),
                              secret));
        }
        arena_finish(&arena);
        buf_finish(&text);
    }
}

/* A cut never shows half of one. */
Test(secret, masked)
{
    static const char text[] =
        "key AKIAQX7RMZ3JT5VNW2KD and postgres://app:S3cr3tP4ss9@db.internal/x";
    static const struct {
        size_t from, to;
        const char *shown;
    } cuts[] = {
        {0, sizeof text, "key AKI…2KD and postgres://app:S…9@db.internal/x"},
        {0, 10, "key AKI…2KD"},
        {10, 28, "AKI…2KD and"},
        {0, 4, "key "},
        {24, 28, " and"},
        {28, 28, ""},
    };
    struct arena arena = {0};
    struct secret *found;
    size_t count;
    secrets_find(span_of(text), &arena, &found, &count);
    cr_assert_eq(count, 2);
    for (size_t i = 0; i < COUNT_OF(cuts); i++) {
        struct buf out = {0};
        secrets_mask_in(&out, span_of(text), cuts[i].from, cuts[i].to, found, count);
        cr_expect_str_eq(buf_cstr(&out), cuts[i].shown, "%s", buf_cstr(&out));
        buf_finish(&out);
    }
    arena_finish(&arena);
}

/* However many there are, none is left out; text that begins a secret at every byte takes no
 * longer.
 */
Test(secret, hostile)
{
    enum { MANY = 5000 };
    struct buf text = {0}, masked = {0};
    struct arena arena = {0};
    struct secret *found;
    size_t count;
    for (int i = 0; i < MANY; i++)
        buf_puts(&text, "a://b:cccc@d ");
    secrets_mask(&masked, buf_span(&text));
    cr_expect_eq(span_find(buf_span(&masked), SPAN("cccc")), masked.len, "the last one is masked");
    const char *pieces[] = {"-----BEGIN PRIVATE KEY-----",
                            "password:",
                            "://a:",
                            "sk-ant-",
                            "eyJ-",
                            "token:sk-ant-",
                            "eyJ.",
                            "eyJ",
                            "=",
                            "\\"};
    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        buf_clear(&text);
        while (text.len < 1000000)
            buf_puts(&text, pieces[i]);
        secrets_find(buf_span(&text), &arena, &found, &count);
    }
    arena_finish(&arena);
    buf_finish(&masked);
    buf_finish(&text);
}
