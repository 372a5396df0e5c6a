/* The JSON reader: its ways to read agree, and what it accepts can be picked apart. */
#include "base/jsonr.h"

#include "tests/fuzz/fuzz.h"

static bool same_place(struct span a, struct span b)
{
    return a.at == b.at && a.len == b.len;
}

static bool inside(struct span part, struct span whole)
{
    return part.at >= whole.at && part.at + part.len <= whole.at + whole.len;
}

/* A string or name, its quotes included: decoded, compared with itself, quoted, and read again. */
static void check_string(struct span value)
{
    struct buf text = {0}, quoted = {0}, again = {0};
    bool lossy = false;
    struct span written = span_sub(value, 1, value.len - 2), plain;
    FUZZ_CHECK(jsonr_string(value, &text, &lossy));
    FUZZ_CHECK(jsonr_name_is(written, buf_span(&text)));
    if (jsonr_plain_string(value, &plain))
        FUZZ_CHECK(span_equal(plain, buf_span(&text)));
    jsonr_quote(&quoted, buf_span(&text));
    FUZZ_CHECK(jsonr_valid(buf_span(&quoted), NULL, NULL));
    FUZZ_CHECK(jsonr_string(buf_span(&quoted), &again, NULL));
    FUZZ_CHECK(span_equal(buf_span(&again), buf_span(&text)));
    buf_finish(&text);
    buf_finish(&quoted);
    buf_finish(&again);
}

static void check_token(const struct jsonr *r, struct span text)
{
    FUZZ_CHECK(inside(r->value, text));
    if (r->token == JSONR_STRING || r->token == JSONR_NAME) {
        check_string((struct span){r->value.at - 1, r->value.len + 2});
        FUZZ_CHECK(r->escaped == (span_find_byte(r->value, '\\') < r->value.len));
    }
    if (r->token == JSONR_OBJECT_END || r->token == JSONR_ARRAY_END)
        FUZZ_CHECK(jsonr_type(r->value) ==
                   (r->token == JSONR_OBJECT_END ? JSONR_OBJECT : JSONR_ARRAY));
}

/* The members of a container as the items walker sees them, against skipping. */
static void check_items(struct span text)
{
    struct jsonr r;
    struct jsonr_items items;
    struct span value;
    jsonr_init(&r, text);
    jsonr_next(&r);
    if (r.token == JSONR_OBJECT || r.token == JSONR_ARRAY) {
        jsonr_items_init(&items, span_trim(text));
        while (jsonr_items_next(&items)) {
            jsonr_next(&r);
            if (items.object)
                FUZZ_CHECK(r.token == JSONR_NAME && same_place(r.value, items.name));
            FUZZ_CHECK(jsonr_skip(&r, &value) && same_place(value, items.value));
        }
        jsonr_next(&r);
        FUZZ_CHECK(r.token == JSONR_OBJECT_END || r.token == JSONR_ARRAY_END);
    }
    FUZZ_CHECK(jsonr_next(&r) == JSONR_END);
}

/* On text of any kind the pickers may find nothing, but never look outside. */
static void check_pickers(struct span text)
{
    struct jsonr_items items;
    struct span value, member;
    struct buf out = {0};
    int64_t number;
    size_t count = 0, split = span_find_byte(text, '\n');
    for (jsonr_items_init(&items, text); jsonr_items_next(&items); count++)
        FUZZ_CHECK(inside(items.value, text) && (!items.object || inside(items.name, text)));
    FUZZ_CHECK(count <= text.len);
    if (jsonr_member(text, "a", &member))
        FUZZ_CHECK(inside(member, text));
    if (jsonr_pointer(span_sub(text, split + 1, text.len), span_sub(text, 0, split), &value))
        FUZZ_CHECK(inside(value, text));
    jsonr_string(text, &out, NULL);
    jsonr_int(text, &number);
    jsonr_duplicate(text, NULL);
    buf_finish(&out);
}

void fuzz_one(struct span input)
{
    enum jsonr_fault fault;
    size_t at, tokens = 0;
    struct jsonr r;
    bool cut, valid = jsonr_valid(input, &fault, &at);
    for (jsonr_init(&r, input); jsonr_next(&r) > JSONR_END; tokens++)
        check_token(&r, input);
    FUZZ_CHECK(valid == (r.token == JSONR_END) && fault == r.fault && (valid || at == r.fault_at));
    FUZZ_CHECK(at <= input.len && tokens <= input.len);
    FUZZ_CHECK(jsonr_next(&r) == (valid ? JSONR_END : JSONR_ERROR));
    size_t first = jsonr_first_value(input, &cut);
    if (first) {
        FUZZ_CHECK(first <= input.len && jsonr_valid(span_sub(input, 0, first), NULL, NULL));
        FUZZ_CHECK(valid || fault == JSONR_TRAILING);
    } else {
        FUZZ_CHECK(!valid && cut == (fault == JSONR_CUT));
    }
    if (valid)
        check_items(input);
    check_pickers(input);
    jsonr_init(&r, input);
    r.i_json = true;
    while (jsonr_next(&r) > JSONR_END)
        ;
    FUZZ_CHECK(valid || r.token == JSONR_ERROR);
}
