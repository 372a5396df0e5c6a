#include "model/evidence/diagnose.h"

#include <time.h>

#include "base/mem.h"
#include "base/text.h"

/* How many choices each dimension of a style has. */
static const unsigned char choice_counts[STYLE_DIMENSION_COUNT] = {
    STYLE_ORDER_COUNT,  STYLE_SPACING_COUNT, STYLE_ESCAPES_COUNT,    STYLE_NUMBERS_COUNT,
    STYLE_FIELDS_COUNT, STYLE_TEXTS_COUNT,   STYLE_DUPLICATES_COUNT,
};

/* ---- trying ---- */

struct search {
    struct records *records;
    struct hasher *hasher;
    const struct digest *wanted;
    struct span bytes;       /* of the record */
    struct restyle *restyle; /* NULL: no JSON */
    struct buf text, other, written;
    uint64_t until_us;
    unsigned asked; /* whether it is over */
    struct diagnosis trying;
    struct diagnosing *result;
};

/* Processor time, so that what is found doesn't depend on what else the machine does. */
static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Is the search at its end: found, or out of time? */
static bool over(struct search *s)
{
    enum { SELDOM = 4 }; /* asking for the time costs as much as a digest */
    if (s->asked++ % SELDOM == 0 && now_us() >= s->until_us)
        s->result->out_of_time = true;
    return s->result->found || s->result->out_of_time;
}

static bool is_wanted(const struct search *s, const struct digest *digest)
{
    return digest->len == s->wanted->len &&
           memcmp(digest->bytes, s->wanted->bytes, digest->len) == 0;
}

static void diagnose_found(struct search *s, enum diagnosis_hash hash,
                           enum digest_algorithm algorithm)
{
    if (s->result->found)
        return;
    s->trying.hash = hash;
    s->trying.algorithm = algorithm;
    s->result->found = true;
    s->result->diagnosis = s->trying;
}

/* The digest of the bytes, once. */
static struct digest try_bytes(struct search *s, struct span bytes)
{
    struct digest digest = {0};
    s->result->tried++;
    hasher_digest(s->hasher, s->wanted->algorithm, bytes, &digest, NULL);
    if (is_wanted(s, &digest))
        diagnose_found(s, DIAGNOSIS_HASH_ONCE, s->wanted->algorithm);
    return digest;
}

static void try_again(struct search *s, struct span bytes, enum diagnosis_hash hash)
{
    struct digest digest;
    s->result->tried++;
    if (hasher_digest(s->hasher, s->wanted->algorithm, bytes, &digest, NULL) &&
        is_wanted(s, &digest))
        diagnose_found(s, hash, s->wanted->algorithm);
}

/* The digest of the bytes in every way in which a digest can be made of them. */
static void try_hashes(struct search *s, struct span bytes)
{
    struct digest digest = try_bytes(s, bytes);
    struct span raw = {(const char *)digest.bytes, digest.len};
    try_again(s, raw, DIAGNOSIS_HASH_TWICE);
    buf_clear(&s->other);
    hex_encode(&s->other, raw);
    try_again(s, buf_span(&s->other), DIAGNOSIS_HASH_OF_HEX);
    buf_clear(&s->other);
    digest_write(&s->other, &digest);
    try_again(s, buf_span(&s->other), DIAGNOSIS_HASH_OF_TEXT);
    struct digest reversed = digest;
    for (size_t i = 0; i < digest.len; i++)
        reversed.bytes[i] = digest.bytes[digest.len - 1 - i];
    if (is_wanted(s, &reversed))
        diagnose_found(s, DIAGNOSIS_HASH_REVERSED, s->wanted->algorithm);
    for (size_t i = 0; i < DIGEST_ALGORITHM_COUNT; i++) {
        enum digest_algorithm other = (enum digest_algorithm)i;
        if (other == s->wanted->algorithm || digest_algorithm_bytes(other) != s->wanted->len)
            continue;
        s->result->tried++;
        if (hasher_digest(s->hasher, other, bytes, &digest, NULL) && is_wanted(s, &digest))
            diagnose_found(s, DIAGNOSIS_HASH_OTHER, other);
    }
}

static void add_end(struct buf *text, enum diagnosis_end end)
{
    switch (end) {
    case DIAGNOSIS_END_NEWLINE:
        buf_byte(text, '\n');
        break;
    case DIAGNOSIS_END_CRLF:
        buf_puts(text, "\r\n");
        break;
    case DIAGNOSIS_END_NUL:
        buf_byte(text, '\0');
        break;
    default: /* the mark stands in front and is added there */
        break;
    }
}

/* What is in s->written, with the first `count` of what may stand around it. */
static void try_ends(struct search *s, unsigned count)
{
    for (unsigned e = 0; e < count && !s->result->found; e++) {
        s->trying.end = (enum diagnosis_end)e;
        buf_clear(&s->text);
        if (e == DIAGNOSIS_END_BOM)
            buf_puts(&s->text, "\xef\xbb\xbf");
        buf_add(&s->text, buf_span(&s->written));
        add_end(&s->text, s->trying.end);
        try_bytes(s, buf_span(&s->text));
    }
    if (!s->result->found)
        s->trying.end = DIAGNOSIS_END_NONE;
}

/* ---- raw bytes ---- */

static const struct span bom = {"\xef\xbb\xbf", 3};

static void convert_lines(struct buf *out, struct span bytes, bool crlf)
{
    for (size_t i = 0; i < bytes.len; i++) {
        char c = bytes.at[i];
        bool pair = c == '\r' && i + 1 < bytes.len && bytes.at[i + 1] == '\n';
        if (pair)
            continue;
        if (c == '\n' && crlf)
            buf_byte(out, '\r');
        buf_byte(out, c);
    }
}

static void try_raw(struct search *s)
{
    struct span bytes = s->bytes, line = bytes;
    while (line.len && (line.at[line.len - 1] == '\n' || line.at[line.len - 1] == '\r'))
        line.len--;
    for (unsigned f = DIAGNOSIS_FORM_RAW; f <= DIAGNOSIS_FORM_RAW_NO_BOM && !over(s); f++) {
        s->trying.form = (enum diagnosis_form)f;
        buf_clear(&s->text);
        switch (s->trying.form) {
        case DIAGNOSIS_FORM_RAW:
            try_hashes(s, bytes);
            continue;
        case DIAGNOSIS_FORM_RAW_NO_NEWLINE:
            buf_add(&s->text, line);
            break;
        case DIAGNOSIS_FORM_RAW_CRLF:
        case DIAGNOSIS_FORM_RAW_LF:
            convert_lines(&s->text, bytes, f == DIAGNOSIS_FORM_RAW_CRLF);
            break;
        case DIAGNOSIS_FORM_RAW_NO_BOM:
            buf_add(&s->text,
                    span_sub(bytes, span_starts_with(bytes, bom) ? bom.len : 0, bytes.len));
            break;
        default:
            buf_add(&s->text, f == DIAGNOSIS_FORM_RAW_BOM ? bom : SPAN_EMPTY);
            buf_add(&s->text, bytes);
            buf_puts(&s->text, f == DIAGNOSIS_FORM_RAW_NEWLINE ? "\n" : "");
            break;
        }
        try_bytes(s, buf_span(&s->text));
    }
}

/* ---- JSON ---- */

static void write_style(struct search *s, const struct text_style *style)
{
    buf_clear(&s->written);
    restyle_write(s->restyle, style, &s->written);
}

static void put_base64(struct buf *out, struct span bytes)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.len; i += 3) {
        unsigned three = 0;
        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (i + k < bytes.len ? (unsigned char)bytes.at[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            buf_byte(out, i + k > bytes.len ? '=' : digit[three >> (18 - 6 * k) & 63]);
    }
}

static void put_utf16(struct buf *out, struct span text)
{
    while (text.len) {
        uint32_t code;
        size_t len = utf8_decode(text, &code);
        uint32_t pair[2] = {0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff)};
        for (size_t k = 0; k < (code < 0x10000 ? 1u : 2u); k++) {
            uint32_t unit = code < 0x10000 ? code : pair[k];
            buf_byte(out, (char)unit);
            buf_byte(out, (char)(unit >> 8));
        }
        text = span_sub(text, len ? len : 1, text.len);
    }
}

/* The canonical text itself, hashed otherwise or wrapped in something. */
static void try_wrapped(struct search *s)
{
    s->trying.form = DIAGNOSIS_FORM_JSON;
    try_hashes(s, buf_span(&s->written));
    for (unsigned f = DIAGNOSIS_FORM_JSON_STRING; f <= DIAGNOSIS_FORM_UTF16 && !s->result->found;
         f++) {
        s->trying.form = (enum diagnosis_form)f;
        buf_clear(&s->text);
        if (f == DIAGNOSIS_FORM_JSON_STRING) {
            restyle_quote(ESCAPES_PYTHON, buf_span(&s->written), &s->text);
            try_bytes(s, buf_span(&s->text));
            buf_clear(&s->text);
            restyle_quote(ESCAPES_JCS, buf_span(&s->written), &s->text);
        } else if (f == DIAGNOSIS_FORM_BASE64) {
            put_base64(&s->text, buf_span(&s->written));
        } else {
            put_utf16(&s->text, buf_span(&s->written));
        }
        try_bytes(s, buf_span(&s->text));
    }
    s->trying.form = DIAGNOSIS_FORM_JSON;
}

/* Choices that leave this record as it is are of no interest: `live` lists those that don't. */
struct live {
    unsigned char choice[16], count;
};

static void find_live(struct search *s, struct live live[STYLE_DIMENSION_COUNT])
{
    struct buf canonical = {0};
    struct text_style style = {{0}};
    restyle_write(s->restyle, &style, &canonical);
    for (size_t d = 0; d < STYLE_DIMENSION_COUNT; d++) {
        live[d] = (struct live){.count = 1};
        for (unsigned char c = 1; c < choice_counts[d] && !over(s); c++) {
            style.choice[d] = c;
            write_style(s, &style);
            if (!span_equal(buf_span(&s->written), buf_span(&canonical)))
                live[d].choice[live[d].count++] = c;
        }
        style.choice[d] = 0;
    }
    buf_finish(&canonical);
}

/* The next combination of choices (an odometer); false behind the last. */
static bool next_style(unsigned char at[STYLE_DIMENSION_COUNT],
                       const struct live live[STYLE_DIMENSION_COUNT])
{
    for (size_t d = 0; d < STYLE_DIMENSION_COUNT; d++) {
        if (++at[d] < live[d].count)
            return true;
        at[d] = 0;
    }
    return false;
}

static size_t count_deviations(const unsigned char at[STYLE_DIMENSION_COUNT])
{
    size_t count = 0;
    for (size_t d = 0; d < STYLE_DIMENSION_COUNT; d++)
        count += at[d] != 0;
    return count;
}

static void try_style(struct search *s, unsigned ends_tried)
{
    write_style(s, &s->trying.style);
    try_ends(s, ends_tried);
}

/* All styles with that many deviations. */
static void try_deviations(struct search *s, const struct live live[STYLE_DIMENSION_COUNT],
                           size_t deviations)
{
    unsigned char at[STYLE_DIMENSION_COUNT] = {0};
    do {
        if (count_deviations(at) != deviations)
            continue;
        if (over(s))
            return;
        for (size_t d = 0; d < STYLE_DIMENSION_COUNT; d++)
            s->trying.style.choice[d] = live[d].choice[at[d]];
        try_style(s, deviations <= 1 ? DIAGNOSIS_END_COUNT : DIAGNOSIS_END_NEWLINE + 1);
        if (deviations <= 1 && !s->result->found)
            try_wrapped(s);
    } while (next_style(at, live));
    s->trying.style = (struct text_style){{0}};
}

static bool is_live(const struct live *live, unsigned char choice)
{
    for (unsigned char i = 0; i < live->count; i++)
        if (live->choice[i] == choice)
            return true;
    return false;
}

/* A choice that makes no difference to this record is not made, so that it isn't said either. */
static void choose(struct search *s, const struct live live[STYLE_DIMENSION_COUNT],
                   enum style_dimension dimension, unsigned choice)
{
    bool matters = is_live(&live[dimension], (unsigned char)choice);
    s->trying.style.choice[dimension] = matters ? (unsigned char)choice : 0;
}

/* The serializers that producers have at hand deviate in several ways at once. */
static void try_languages(struct search *s, const struct live live[STYLE_DIMENSION_COUNT])
{
    static const struct {
        enum style_escapes escapes;
        enum style_numbers numbers;
    } languages[] = {
        {ESCAPES_PYTHON, NUMBERS_PYTHON},   {ESCAPES_JCS, NUMBERS_PYTHON},
        {ESCAPES_JCS, NUMBERS_ES},          {ESCAPES_GO, NUMBERS_GO},
        {ESCAPES_GO_PLAIN, NUMBERS_GO},     {ESCAPES_JCS, NUMBERS_RUST},
        {ESCAPES_PHP, NUMBERS_PHP},         {ESCAPES_PHP_SLASH, NUMBERS_PHP},
        {ESCAPES_PHP_UNICODE, NUMBERS_PHP}, {ESCAPES_JCS, NUMBERS_PHP},
        {ESCAPES_JQ, NUMBERS_JQ},           {ESCAPES_JCS, NUMBERS_JAVA},
        {ESCAPES_GSON, NUMBERS_JAVA},       {ESCAPES_JCS, NUMBERS_RUBY},
        {ESCAPES_DOTNET, NUMBERS_EXACT},    {ESCAPES_JCS, NUMBERS_EXACT},
        {ESCAPES_WRITTEN, NUMBERS_WRITTEN},
    };
    unsigned duplicates = restyle_has_duplicates(s->restyle) ? DUPLICATES_LAST : DUPLICATES_NONE;
    for (size_t i = 0; i < COUNT_OF(languages); i++)
        for (unsigned order = 0; order < STYLE_ORDER_COUNT; order++)
            for (unsigned spacing = 0; spacing < STYLE_SPACING_COUNT && !over(s); spacing++) {
                choose(s, live, STYLE_ORDER, order);
                choose(s, live, STYLE_SPACING, spacing);
                choose(s, live, STYLE_ESCAPES, languages[i].escapes);
                choose(s, live, STYLE_NUMBERS, languages[i].numbers);
                choose(s, live, STYLE_DUPLICATES, duplicates);
                try_style(s, DIAGNOSIS_END_NEWLINE + 1);
            }
    s->trying.style = (struct text_style){{0}};
}

/* Only one member of the record: in its canonical form, or the text that it is. */
static void try_members(struct search *s)
{
    struct jsonr_items items;
    struct jcs_report report;
    struct span text = span_trim(s->bytes);
    struct jcs *jcs = jcs_create();
    if (jsonr_is_object(text))
        jsonr_items_init(&items, text);
    else
        items = (struct jsonr_items){.rest = SPAN_EMPTY};
    while (!over(s) && jsonr_items_next(&items)) {
        s->trying.member = items.name;
        s->trying.form = DIAGNOSIS_FORM_MEMBER;
        buf_clear(&s->text);
        if (jcs_canonicalize(jcs, items.value, &s->text, &report))
            try_bytes(s, buf_span(&s->text));
        s->trying.form = DIAGNOSIS_FORM_MEMBER_TEXT;
        buf_clear(&s->text);
        if (jsonr_string(items.value, &s->text, NULL))
            try_bytes(s, buf_span(&s->text));
    }
    jcs_destroy(jcs);
    s->trying.member = SPAN_EMPTY;
    s->trying.form = DIAGNOSIS_FORM_JSON;
}

/* What one deviation makes, and what the usual serializers make. */
static void try_json(struct search *s, struct live live[STYLE_DIMENSION_COUNT])
{
    s->trying.form = DIAGNOSIS_FORM_JSON;
    find_live(s, live);
    try_deviations(s, live, 0);
    try_deviations(s, live, 1);
    if (!over(s))
        try_members(s);
    try_languages(s, live);
}

/* Everything else that can be put together: more than a budget has room for, so that it comes last.
 */
static void try_combinations(struct search *s, const struct live live[STYLE_DIMENSION_COUNT])
{
    s->trying.form = DIAGNOSIS_FORM_JSON;
    for (size_t deviations = 2; deviations <= STYLE_DIMENSION_COUNT && !over(s); deviations++)
        try_deviations(s, live, deviations);
    s->trying.style = (struct text_style){{0}};
}

/* ---- CBOR ---- */

/* The record in CBOR as it is being tried, into s->written. */
static bool write_cbor(struct search *s, struct span json, struct span cbor)
{
    static const enum cbor_order orders[] = {CBOR_ORDER_BYTEWISE, CBOR_ORDER_LENGTH_FIRST,
                                             CBOR_ORDER_AS_WRITTEN};
    static const enum cbor_numbers numbers[] = {CBOR_NUMBERS_TOKEN, CBOR_NUMBERS_VALUE,
                                                CBOR_NUMBERS_DCBOR, CBOR_NUMBERS_DOUBLE};
    buf_clear(&s->written);
    if (s->trying.cbor_tag == DIAGNOSIS_CBOR_SELF_DESCRIBED)
        buf_puts(&s->written, "\xd9\xd9\xf7");
    if (cbor.len) {
        struct cbor_report report;
        enum cbor_profile profile = s->trying.cbor_numbers == DIAGNOSIS_CBOR_REDUCED ? CBOR_DCBOR
                                    : s->trying.cbor_order == DIAGNOSIS_CBOR_LENGTHS
                                        ? CBOR_LENGTH_FIRST
                                        : CBOR_CORE;
        return cbor_deterministic(cbor, profile, &s->written, &report);
    }
    struct jcs_report report;
    return cbor_from_json(json, numbers[s->trying.cbor_numbers], orders[s->trying.cbor_order],
                          &s->written, &report);
}

static void try_cbor(struct search *s, bool is_cbor)
{
    struct buf json = {0};
    s->trying.form = DIAGNOSIS_FORM_CBOR;
    for (unsigned f = 0; f < STYLE_FIELDS_COUNT && !over(s); f++) {
        struct text_style style = {{0}};
        if ((is_cbor || !s->restyle) && f > 0)
            break;
        s->trying.style = style;
        s->trying.style.choice[STYLE_FIELDS] = (unsigned char)f;
        style.choice[STYLE_FIELDS] = (unsigned char)f;
        style.choice[STYLE_ORDER] = ORDER_WRITTEN;
        style.choice[STYLE_NUMBERS] = NUMBERS_WRITTEN;
        style.choice[STYLE_ESCAPES] = ESCAPES_WRITTEN;
        buf_clear(&json);
        if (!is_cbor && s->restyle)
            restyle_write(s->restyle, &style, &json);
        struct span cbor = is_cbor ? s->bytes : SPAN_EMPTY;
        for (unsigned n = 0; n < DIAGNOSIS_CBOR_NUMBERS_COUNT; n++)
            for (unsigned o = 0; o < DIAGNOSIS_CBOR_ORDER_COUNT; o++)
                for (unsigned t = 0; t < DIAGNOSIS_CBOR_TAG_COUNT && !over(s); t++) {
                    s->trying.cbor_numbers = (enum diagnosis_cbor_numbers)n;
                    s->trying.cbor_order = (enum diagnosis_cbor_order)o;
                    s->trying.cbor_tag = (enum diagnosis_cbor_tag)t;
                    if (!write_cbor(s, buf_span(&json), cbor))
                        continue;
                    if (n + o + t == 0)
                        try_hashes(s, buf_span(&s->written));
                    else
                        try_bytes(s, buf_span(&s->written));
                }
    }
    buf_finish(&json);
    s->trying = (struct diagnosis){.declared = s->trying.declared};
}

/* ---- the call ---- */

void diagnose(struct records *records, size_t index, const struct digest *wanted,
              enum canonicalization declared, unsigned budget_ms, struct diagnosing *result)
{
    const struct held_record *record = records_at(records, index);
    *result = (struct diagnosing){.found = false};
    struct search s = {.records = records,
                       .hasher = records_hasher(records),
                       .wanted = wanted,
                       .bytes = record->bytes,
                       .result = result};
    s.trying.declared = declared;
    s.until_us = now_us() + (uint64_t)budget_ms * 1000;
    bool is_cbor = record->form == RECORD_CBOR;
    struct live live[STYLE_DIMENSION_COUNT];
    struct buf json = {0};
    if (is_cbor && records_json(records, index, &json))
        s.restyle = restyle_create(buf_span(&json));
    else if (!is_cbor)
        s.restyle = restyle_create(
            span_starts_with(s.bytes, bom) ? span_sub(s.bytes, 3, s.bytes.len) : s.bytes);
    try_raw(&s);
    s.trying.form = DIAGNOSIS_FORM_JSON;
    if (declared == CANON_CBOR && !over(&s))
        try_cbor(&s, is_cbor);
    if (s.restyle && !over(&s))
        try_json(&s, live);
    if (declared != CANON_CBOR && !over(&s))
        try_cbor(&s, is_cbor);
    if (s.restyle && !over(&s))
        try_combinations(&s, live);
    restyle_destroy(s.restyle);
    buf_finish(&json);
    buf_finish(&s.text);
    buf_finish(&s.other);
    buf_finish(&s.written);
}

bool evidence_diagnose(const struct evidence_result *result, struct records *records,
                       unsigned *budget_ms, struct diagnosing *diagnosing)
{
    bool worth =
        result->verdict == EVIDENCE_DIGEST_MISMATCH || result->verdict == EVIDENCE_MALFORMED_RECORD;
    if (!worth || result->record == RECORD_NONE || !result->declared_known)
        return false;
    unsigned budget = *budget_ms < DIAGNOSE_BUDGET_MS ? *budget_ms : DIAGNOSE_BUDGET_MS;
    uint64_t begin = now_us();
    diagnose(records, result->record, &result->wanted, result->declared, budget, diagnosing);
    uint64_t took = (now_us() - begin) / 1000;
    *budget_ms = took < *budget_ms ? *budget_ms - (unsigned)took : 0;
    return true;
}

void evidence_explain(struct buf *out, const struct evidence_result *result,
                      const struct diagnosing *diagnosing)
{
    evidence_describe(out, result);
    if (result->verdict == EVIDENCE_CANONICALIZATION_MISMATCH)
        buf_puts(out, "; " DIAGNOSIS_CANON_ADVICE);
    if (!diagnosing)
        return;
    buf_puts(out, "; ");
    if (diagnosing->found) {
        diagnosis_cause(out, &diagnosing->diagnosis);
        buf_puts(out, "; ");
        diagnosis_advice(out, &diagnosing->diagnosis);
    } else {
        buf_puts(out, diagnosing->out_of_time
                          ? "the usual ways of writing it wrong were not all tried: time was up"
                          : "no usual way of writing this record gives that digest");
    }
}
