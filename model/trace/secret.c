#include "model/trace/secret.h"

#include <math.h>

#include "base/ascii.h"
#include "base/attr.h"
#include "model/trace/fold.h"

enum {
    VALUE_LEAST = 8, /* of what is assigned to a name */
    VALUE_MOST = 512,
    NAME_MOST = 40,
    JWT_LEAST = 30,
};

/* ---- shapes ---- */

enum alphabet { ALNUM, SECRET_TOKEN, UPPER, SECRET_HEX, SECRET_PATH };

/* What credentials begin with, and how many bytes of which kind follow at least; in the order of
 * the first letter. */
static const struct shape {
    const char *prefix, *kind;
    uint8_t least;
    enum alphabet alphabet;
} shapes[] = {
    {"AGE-SECRET-KEY-1", "an age key", 50, UPPER},
    {"AIza", "a Google API key", 35, SECRET_TOKEN},
    {"AKIA", "an AWS access key", 16, UPPER},
    {"ASIA", "an AWS access key", 16, UPPER},
    {"ATATT3", "an Atlassian token", 60, SECRET_TOKEN},
    {"GOCSPX-", "a Google client secret", 20, SECRET_TOKEN},
    {"NRAK-", "a New Relic key", 20, UPPER},
    {"PMAK-", "a Postman key", 40, SECRET_TOKEN},
    {"SG.", "a SendGrid key", 30, SECRET_TOKEN},
    {"dapi", "a Databricks token", 32, SECRET_HEX},
    {"dckr_pat_", "a Docker token", 20, SECRET_TOKEN},
    {"discord.com/api/webhooks/", "a Discord webhook", 60, SECRET_PATH},
    {"dop_v1_", "a DigitalOcean token", 40, ALNUM},
    {"eyJ", "a JSON web token", JWT_LEAST, SECRET_TOKEN},
    {"figd_", "a Figma token", 30, SECRET_TOKEN},
    {"ghp_", "a GitHub token", 30, SECRET_TOKEN},
    {"gho_", "a GitHub token", 30, SECRET_TOKEN},
    {"ghs_", "a GitHub token", 30, SECRET_TOKEN},
    {"ghu_", "a GitHub token", 30, SECRET_TOKEN},
    {"ghr_", "a GitHub token", 30, SECRET_TOKEN},
    {"github_pat_", "a GitHub token", 40, SECRET_TOKEN},
    {"gldt-", "a GitLab token", 18, SECRET_TOKEN},
    {"glpat-", "a GitLab token", 18, SECRET_TOKEN},
    {"glptt-", "a GitLab token", 18, SECRET_TOKEN},
    {"glrt-", "a GitLab token", 18, SECRET_TOKEN},
    {"glsa_", "a Grafana token", 32, SECRET_TOKEN},
    {"gsk_", "a Groq key", 30, ALNUM},
    {"hf_", "a Hugging Face token", 30, ALNUM},
    {"hooks.slack.com/services/T", "a Slack webhook", 30, SECRET_PATH},
    {"hvs.", "a Vault token", 20, SECRET_TOKEN},
    {"lin_api_", "a Linear key", 30, ALNUM},
    {"npm_", "an npm token", 30, ALNUM},
    {"ntn_", "a Notion token", 30, ALNUM},
    {"pypi-", "a PyPI token", 40, SECRET_TOKEN},
    {"r8_", "a Replicate token", 37, ALNUM},
    {"rk_live_", "a Stripe key", 16, SECRET_TOKEN},
    {"rk_test_", "a Stripe test key", 16, SECRET_TOKEN},
    {"rubygems_", "a RubyGems key", 40, SECRET_HEX},
    {"sb_secret_", "a Supabase key", 20, SECRET_TOKEN},
    {"sbp_", "a Supabase token", 30, ALNUM},
    {"secret_", "a Notion token", 40, ALNUM},
    {"shpat_", "a Shopify token", 30, SECRET_HEX},
    {"shpss_", "a Shopify secret", 30, SECRET_HEX},
    {"sk-", "an OpenAI key", 40, ALNUM},
    {"sk-admin-", "an OpenAI key", 20, SECRET_TOKEN},
    {"sk-ant-", "an Anthropic key", 20, SECRET_TOKEN},
    {"sk-or-", "an OpenRouter key", 20, SECRET_TOKEN},
    {"sk-proj-", "an OpenAI key", 20, SECRET_TOKEN},
    {"sk-svcacct-", "an OpenAI key", 20, SECRET_TOKEN},
    {"sk_live_", "a Stripe key", 16, SECRET_TOKEN},
    {"sk_test_", "a Stripe test key", 16, SECRET_TOKEN},
    {"sntrys_", "a Sentry token", 40, SECRET_TOKEN},
    {"vault:v1:", "a Vault ciphertext", 20, SECRET_TOKEN},
    {"whsec_", "a webhook's signing secret", 24, ALNUM},
    {"xapp-", "a Slack token", 20, SECRET_TOKEN},
    {"xoxa-", "a Slack token", 20, SECRET_TOKEN},
    {"xoxb-", "a Slack token", 20, SECRET_TOKEN},
    {"xoxc-", "a Slack token", 20, SECRET_TOKEN},
    {"xoxd-", "a Slack token", 20, SECRET_TOKEN},
    {"xoxe-", "a Slack token", 20, SECRET_TOKEN},
    {"xoxe.", "a Slack token", 20, SECRET_TOKEN},
    {"xoxp-", "a Slack token", 20, SECRET_TOKEN},
    {"xoxr-", "a Slack token", 20, SECRET_TOKEN},
    {"xoxs-", "a Slack token", 20, SECRET_TOKEN},
    {"ya29.", "a Google access token", 20, SECRET_TOKEN},
};

/* The first shape that begins with a letter, or a later one: asked at every word of a session. */
static size_t first_shape(char letter)
{
    size_t low = 0, high = COUNT_OF(shapes);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (shapes[middle].prefix[0] < letter)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool fits(char c, enum alphabet alphabet)
{
    bool upper = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
    bool alnum = digit || upper || (c >= 'a' && c <= 'z');
    bool token = alnum || c == '_' || c == '-' || c == '.';
    switch (alphabet) {
    case ALNUM:
        return alnum;
    case SECRET_TOKEN:
        return token;
    case UPPER:
        return digit || upper;
    case SECRET_HEX:
        return byte_is(c, BYTE_HEX);
    case SECRET_PATH:
        return token || c == '/';
    }
    return false;
}

/* header.payload.signature, all of base64; the first two are objects: "{\"". */
static bool is_web_token(struct span s)
{
    size_t dot = span_find_byte(s, '.');
    struct span rest = span_sub(s, dot + 1, s.len);
    size_t second = span_find_byte(rest, '.');
    return dot < s.len && second < rest.len && span_starts_with(rest, SPAN("eyJ")) &&
           rest.len - second > 8;
}

/* The end of a token of a known shape at `at`; 0 where there is none. *run is where the last run of
 * TOKEN bytes ended: it is the same for all that begins inside it, and not looked for again. */
static size_t shape_end(struct span text, size_t at, size_t *run, const struct shape **which)
{
    if (at >= text.len)
        return 0;
    for (size_t i = first_shape(text.at[at]);
         i < COUNT_OF(shapes) && shapes[i].prefix[0] == text.at[at]; i++) {
        struct span prefix = span_of(shapes[i].prefix);
        if (!span_starts_with(span_sub(text, at, prefix.len), prefix))
            continue;
        size_t end = at + prefix.len;
        bool token = shapes[i].alphabet == SECRET_TOKEN;
        if (token && at < *run && end < *run)
            end = *run;
        while (end < text.len && fits(text.at[end], shapes[i].alphabet))
            end++;
        *run = token ? end : *run;
        while (end > at && text.at[end - 1] == '.')
            end--;
        struct span found = span_sub(text, at, end - at);
        if (found.len < prefix.len + shapes[i].least ||
            (shapes[i].prefix[0] == 'e' &&
             ((at > 0 && fits(text.at[at - 1], SECRET_TOKEN)) || !is_web_token(found))))
            continue;
        *which = &shapes[i];
        return end;
    }
    return 0;
}

/* The end of "PRIVATE KEY-----" in text, PGP's too; 0: it is not there. */
static size_t key_words_end(struct span text)
{
    static const struct span words[] = {SPAN_INIT("PRIVATE KEY-----"),
                                        SPAN_INIT("PRIVATE KEY BLOCK-----")};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t at = span_find(text, words[i]);
        if (at < text.len)
            return at + words[i].len;
    }
    return 0;
}

/* "-----BEGIN OPENSSH PRIVATE KEY-----" to the end of the block, or as far as the text goes. */
static size_t pem_end(struct span text, size_t at)
{
    static const struct span begin = SPAN_INIT("-----BEGIN "), end = SPAN_INIT("-----END ");
    if (!span_starts_with(span_sub(text, at, begin.len), begin))
        return 0;
    size_t words = key_words_end(span_sub(text, at + begin.len, 40));
    if (!words)
        return 0;
    size_t body = at + begin.len + words;
    struct span rest = span_sub(text, body, 16384);
    size_t stop = span_find(rest, end);
    if (stop == rest.len)
        return body + rest.len;
    return body + stop + end.len + key_words_end(span_sub(rest, stop + end.len, 60));
}

/* ---- values that are assigned to a name ---- */

static const struct {
    const char *name, *kind;
} secret_names[] = {
    {"password", "a password"},      {"passwd", "a password"},
    {"passphrase", "a password"},    {"pwd", "a password"},
    {"secret", "a secret"},          {"token", "a token"},
    {"apikey", "an API key"},        {"accesskey", "an access key"},
    {"accountkey", "an access key"}, {"privatekey", "a private key"},
    {"secretkey", "a secret key"},   {"credential", "a credential"},
    {"bearer", "a bearer token"},    {"authorization", "a credential"},
};

/* Does the name end with one that says so? Signs and case don't matter: `AWS_SECRET_ACCESS_KEY`. */
static const char *kind_of_name(struct span name)
{
    char folded[NAME_MOST];
    size_t len = 0;
    for (size_t i = name.len > NAME_MOST ? name.len - NAME_MOST : 0; i < name.len; i++)
        if (byte_is(name.at[i], BYTE_WORD))
            folded[len++] = (char)fold_table[(uint8_t)name.at[i]];
    for (size_t i = 0; i < COUNT_OF(secret_names); i++)
        if (span_ends_with((struct span){folded, len}, span_of(secret_names[i].name)))
            return secret_names[i].kind;
    return NULL;
}

/* Bits a byte (Shannon). */
static double entropy(struct span s)
{
    size_t count[256] = {0};
    double bits = 0;
    for (size_t i = 0; i < s.len; i++)
        count[(uint8_t)s.at[i]]++;
    for (size_t i = 0; i < COUNT_OF(count); i++) {
        double share = (double)count[i] / (double)s.len;
        bits -= count[i] ? share * log2(share) : 0;
    }
    return bits;
}

/* Neither a word, nor a placeholder, nor prose: letters and digits mixed, few of them twice. */
static bool looks_random(struct span value)
{
    size_t digits = 0, letters = 0;
    if (value.len < VALUE_LEAST || value.len > VALUE_MOST)
        return false;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.at[i];
        if ((uint8_t)c <= ' ' || (c & 0x80) || ascii_is_one_of(c, "<>{}$*"))
            return false;
        digits += byte_is(c, BYTE_DIGIT);
        letters += byte_is(c, BYTE_LETTER);
    }
    return digits && letters && entropy(value) >= 2.7;
}

bool secret_named(struct span name, struct span value, struct secret *secret)
{
    const char *kind = kind_of_name(name);
    if (!kind || !looks_random(value))
        return false;
    *secret = (struct secret){.kind = kind, .length = value.len};
    return true;
}

/* A value behind `=` or `:` at `at`, or behind "Bearer "; its name ends before it. */
static bool assigned(struct span text, size_t at, struct secret *secret)
{
    size_t stop = at, begin;
    while (stop > 0 && ascii_is_one_of(text.at[stop - 1], " \"'\\") && at - stop < 8)
        stop--;
    begin = stop;
    while (begin > 0 && stop - begin < NAME_MOST &&
           (byte_is(text.at[begin - 1], BYTE_WORD) || text.at[begin - 1] == '_' ||
            text.at[begin - 1] == '-'))
        begin--;
    if (stop - begin < 3 || !kind_of_name(span_sub(text, begin, stop - begin)))
        return false;
    size_t from = at + 1, to;
    while (from < text.len && from - at < 12 && ascii_is_one_of(text.at[from], " \"'\\"))
        from++;
    static const char *const schemes[] = {"Bearer ", "Basic ", "token "};
    for (size_t i = 0; i < COUNT_OF(schemes); i++)
        if (span_equal_nocase(span_sub(text, from, strlen(schemes[i])), span_of(schemes[i])))
            from += strlen(schemes[i]);
    to = from;
    while (to < text.len && to - from <= VALUE_MOST && (uint8_t)text.at[to] > ' ' &&
           !ascii_is_one_of(text.at[to], "\"'\\,;&)]}`"))
        to++;
    const struct shape *shape;
    size_t run = 0;
    if (shape_end(text, from, &run, &shape))
        return false; /* which says more, and is found where it stands */
    if (!secret_named(span_sub(text, begin, stop - begin), span_sub(text, from, to - from), secret))
        return false;
    secret->offset = from;
    return true;
}

/* scheme://user:password@host, from the "://" on. */
static bool in_url(struct span text, size_t at, struct secret *secret)
{
    size_t begin = at + 3, colon = 0, i = begin;
    for (; i < text.len && i - begin < 256; i++) {
        char c = text.at[i];
        if ((uint8_t)c <= ' ' || ascii_is_one_of(c, "/?#\"'<>\\"))
            return false;
        if (c == ':' && !colon)
            colon = i + 1;
        if (c == '@')
            break;
    }
    if (i >= text.len || text.at[i] != '@' || !colon || i - colon < 4 ||
        ascii_is_one_of(text.at[colon], "$*{"))
        return false;
    *secret = (struct secret){
        .kind = "a password in an address", .certain = true, .offset = colon, .length = i - colon};
    return true;
}

/* ---- the other half of an AWS key ---- */

enum { AWS_SECRET = 40, AWS_NEAR = 256 };

static bool starts_word(struct span text, size_t at, unsigned classes)
{
    return at == 0 || !byte_is(text.at[at - 1], classes) || fold_before(text, at).count == 0;
}

/* The end of an id of an AWS key at `at`; 0: there is none. */
static size_t key_id_end(struct span text, size_t at)
{
    const struct shape *shape;
    size_t run = 0, end = text.at[at] == 'A' && starts_word(text, at, BYTE_WORD)
                              ? shape_end(text, at, &run, &shape)
                              : 0;
    return end && strcmp(shape->kind, "an AWS access key") == 0 ? end : 0;
}

/* It has no shape but its length: so many digits of base64, of all kinds, as random as no digest in
 * hex is, and the id of a key near them. `id_end`: where the last id ended; 0: there was none. */
static bool aws_secret(struct span text, size_t at, size_t id_end)
{
    struct span value = span_sub(text, at, AWS_SECRET);
    unsigned classes = 0, upper = 0;
    if (value.len < AWS_SECRET || !starts_word(text, at, BYTE_BASE64))
        return false;
    for (size_t i = AWS_SECRET; i-- > 0;) { /* mostly there is a space not far before the end */
        if (!byte_is(value.at[i], BYTE_BASE64) || value.at[i] == '-' || value.at[i] == '_')
            return false;
        classes |= byte_class[(uint8_t)value.at[i]];
        upper |= value.at[i] >= 'A' && value.at[i] <= 'Z';
    }
    size_t end = at + AWS_SECRET;
    if (!upper || !(classes & BYTE_SMALL) || !(classes & BYTE_DIGIT) || entropy(value) < 4.2 ||
        (end < text.len && (byte_is(text.at[end], BYTE_BASE64) || text.at[end] == '=')))
        return false;
    if (id_end && at - id_end <= AWS_NEAR)
        return true;
    for (size_t i = end; i < text.len && i - end < AWS_NEAR; i++)
        if (key_id_end(text, i))
            return true;
    return false;
}

/* ---- all ---- */

/* Where the last run of TOKEN bytes and the last id of an AWS key ended. */
struct secret_scan {
    size_t run, id_end;
};

static bool secret_at(struct span text, size_t at, struct secret_scan *scan, struct secret *secret)
{
    char c = text.at[at];
    const struct shape *shape;
    size_t end;
    if (byte_is(c, BYTE_LETTER) && starts_word(text, at, BYTE_WORD) &&
        (end = shape_end(text, at, &scan->run, &shape)) > 0) {
        *secret = (struct secret){shape->kind, true, at, end - at};
        if (key_id_end(text, at))
            scan->id_end = end;
        return true;
    }
    if (byte_is(c, BYTE_BASE64) && aws_secret(text, at, scan->id_end)) {
        *secret = (struct secret){"an AWS secret key", false, at, AWS_SECRET};
        return true;
    }
    if (c == '-' && (end = pem_end(text, at)) > 0) {
        *secret = (struct secret){"a private key", true, at, end - at};
        return true;
    }
    if (c == ':' && span_starts_with(span_sub(text, at, 3), SPAN("://")))
        return in_url(text, at, secret);
    return (c == '=' || c == ':') && assigned(text, at, secret);
}

void secrets_find(struct span text, struct arena *arena, struct secret **secrets, size_t *count)
{
    struct secret *found = NULL, secret;
    size_t size = 0;
    struct secret_scan scan = {0};
    *count = 0;
    for (size_t at = 0; at < text.len; at++) {
        if (!secret_at(text, at, &scan, &secret))
            continue;
        found = mem_one_more(found, *count, &size, sizeof *found);
        found[(*count)++] = secret;
        at = (size_t)(secret.offset + secret.length) - 1;
    }
    *secrets = arena_array(arena, *count, sizeof **secrets);
    if (*count)
        memcpy(*secrets, found, *count * sizeof *found);
    mem_free(found);
}

/* "-----BEGIN OPENSSH PRIVATE KEY-----" says what a key is and nothing of it; 0: it has no such
 * line. */
static size_t heading_length(struct span secret)
{
    enum { DASHES = 5, MOST = 64 };
    if (!span_starts_with(secret, SPAN("-----BEGIN ")))
        return 0;
    struct span rest = span_sub(secret, DASHES, MOST);
    size_t end = span_find(rest, SPAN("-----"));
    return end < rest.len ? DASHES + end + DASHES : 0;
}

void secret_mask(struct buf *out, struct span secret)
{
    size_t heading = heading_length(secret);
    if (heading) {
        buf_add(out, span_sub(secret, 0, heading));
        buf_puts(out, "\xe2\x80\xa6");
        return;
    }
    size_t side = secret.len / 6 < 4 ? secret.len / 6 : 4;
    buf_add(out, span_sub(secret, 0, side));
    buf_puts(out, "\xe2\x80\xa6");
    buf_add(out, span_sub(secret, secret.len - side, side));
}

void secrets_mask_in(struct buf *out, struct span text, size_t from, size_t to,
                     const struct secret *secrets, size_t count)
{
    size_t at = from;
    for (size_t i = 0; i < count; i++) {
        size_t begin = (size_t)secrets[i].offset, end = begin + (size_t)secrets[i].length;
        if (end <= at || begin >= to)
            continue;
        if (begin > at)
            buf_add(out, span_sub(text, at, begin - at));
        secret_mask(out, span_sub(text, begin, end - begin));
        at = end;
    }
    if (at < to)
        buf_add(out, span_sub(text, at, to - at));
}

void secrets_mask(struct buf *out, struct span text)
{
    struct arena scratch = {0};
    struct secret *secrets;
    size_t count;
    secrets_find(text, &scratch, &secrets, &count);
    secrets_mask_in(out, text, 0, text.len, secrets, count);
    arena_finish(&scratch);
}
