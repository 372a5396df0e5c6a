/* The reader against JSONTestSuite, where it is present, and against itself on random documents. */
#include <criterion/criterion.h>

#include <dirent.h>

#include "base/jsonr.h"
#include "tests/unit/files.h"
#include "tests/unit/numbers.h"

#define SUITE "vectors/json/JSONTestSuite/test_parsing"

/*
 * What RFC 8259 leaves open ("i_"): numbers of any size are text to us, lone surrogate escapes pass
 * unless I-JSON is asked for; whatever is not UTF-8 is rejected.
 */
static const struct {
    const char *file;
    bool accepted, as_i_json;
} OPEN[] = {
    {"i_number_double_huge_neg_exp.json", true, true},
    {"i_number_huge_exp.json", true, true},
    {"i_number_neg_int_huge_exp.json", true, true},
    {"i_number_pos_double_huge_exp.json", true, true},
    {"i_number_real_neg_overflow.json", true, true},
    {"i_number_real_pos_overflow.json", true, true},
    {"i_number_real_underflow.json", true, true},
    {"i_number_too_big_neg_int.json", true, true},
    {"i_number_too_big_pos_int.json", true, true},
    {"i_number_very_big_negative_int.json", true, true},
    {"i_object_key_lone_2nd_surrogate.json", true, false},
    {"i_string_1st_surrogate_but_2nd_missing.json", true, false},
    {"i_string_1st_valid_surrogate_2nd_invalid.json", true, false},
    {"i_string_UTF-16LE_with_BOM.json", false, false},
    {"i_string_UTF-8_invalid_sequence.json", false, false},
    {"i_string_UTF8_surrogate_U+D800.json", false, false},
    {"i_string_incomplete_surrogate_and_escape_valid.json", true, false},
    {"i_string_incomplete_surrogate_pair.json", true, false},
    {"i_string_incomplete_surrogates_escape_valid.json", true, false},
    {"i_string_invalid_lonely_surrogate.json", true, false},
    {"i_string_invalid_surrogate.json", true, false},
    {"i_string_invalid_utf-8.json", false, false},
    {"i_string_inverted_surrogates_U+1D11E.json", true, false},
    {"i_string_iso_latin_1.json", false, false},
    {"i_string_lone_second_surrogate.json", true, false},
    {"i_string_lone_utf8_continuation_byte.json", false, false},
    {"i_string_not_in_unicode_range.json", false, false},
    {"i_string_overlong_sequence_2_bytes.json", false, false},
    {"i_string_overlong_sequence_6_bytes.json", false, false},
    {"i_string_overlong_sequence_6_bytes_null.json", false, false},
    {"i_string_truncated-utf-8.json", false, false},
    {"i_string_utf16BE_no_BOM.json", false, false},
    {"i_string_utf16LE_no_BOM.json", false, false},
    {"i_structure_500_nested_arrays.json", true, true},
    {"i_structure_UTF-8_BOM_empty_object.json", false, false},
};

static bool read_whole(struct span text, bool i_json)
{
    struct jsonr r;
    jsonr_init(&r, text);
    r.i_json = i_json;
    while (jsonr_next(&r) > JSONR_END)
        ;
    return r.token == JSONR_END;
}

static void check_file(const char *name, struct span text)
{
    bool accepted = read_whole(text, false), as_i_json = read_whole(text, true);
    cr_assert_eq(jsonr_valid(text, NULL, NULL), accepted, "%s: two ways, two answers", name);
    cr_assert(accepted || !as_i_json, "%s: I-JSON is a part of JSON", name);
    if (name[0] == 'n')
        cr_assert_not(accepted, "%s", name);
    if (name[0] == 'y') {
        cr_assert(as_i_json, "%s", name);
        bool repeats = strstr(name, "duplicated_key") != NULL;
        cr_assert_eq(jsonr_duplicate(text, NULL), repeats, "%s", name);
    }
    for (size_t i = 0; i < COUNT_OF(OPEN); i++) {
        if (strcmp(OPEN[i].file, name) == 0) {
            cr_assert_eq(accepted, OPEN[i].accepted, "%s", name);
            cr_assert_eq(as_i_json, OPEN[i].as_i_json, "%s", name);
        }
    }
}

Test(suite, published_vectors)
{
    struct buf path = {0}, text = {0};
    size_t files = 0;
    DIR *folder = opendir(files_shared(SUITE, &path));
    if (!folder) {
        buf_finish(&path);
        cr_skip_test("no shared vectors");
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strchr("nyi", entry->d_name[0]) == NULL || entry->d_name[1] != '_')
            continue;
        files_shared(SUITE, &path);
        buf_addf(&path, "/%s", entry->d_name);
        buf_clear(&text);
        cr_assert(files_read(buf_cstr(&path), &text));
        check_file(entry->d_name, buf_span(&text));
        files++;
    }
    closedir(folder);
    cr_assert_gt(files, 300);
    buf_finish(&path);
    buf_finish(&text);
}

/* ---- random documents ---- */

static void add_white(struct buf *out, struct numbers *numbers)
{
    while (numbers_below(numbers, 4) == 0)
        buf_byte(out, " \n\r\t"[numbers_below(numbers, 4)]);
}

static void add_string(struct buf *out, struct numbers *numbers)
{
    static const char *const pieces[] = {"a",
                                         "some longer piece of plain text",
                                         "\\\"",
                                         "\\\\",
                                         "\\n",
                                         "\\u0041",
                                         "\\ud83d\\ude00",
                                         "\xc3\xa9",
                                         "\xe2\x82\xac",
                                         "\xf0\x9f\x98\x80",
                                         "]",
                                         "}",
                                         ",",
                                         "\\/",
                                         " ",
                                         "{[",
                                         "\x7f"};
    buf_byte(out, '"');
    while (numbers_below(numbers, 5))
        buf_puts(out, pieces[numbers_below(numbers, COUNT_OF(pieces))]);
    buf_byte(out, '"');
}

static void add_value(struct buf *out, struct numbers *numbers, int room)
{
    static const char *const scalars[] = {"null", "true",     "false", "0",  "-0",
                                          "12",   "-3.25e+7", "1E5",   "0.1"};
    size_t kind = numbers_below(numbers, room > 0 ? 5 : 3);
    add_white(out, numbers);
    if (kind == 0) {
        buf_puts(out, scalars[numbers_below(numbers, COUNT_OF(scalars))]);
    } else if (kind < 3) {
        add_string(out, numbers);
    } else {
        bool object = kind == 3;
        size_t count = numbers_below(numbers, 5);
        buf_byte(out, object ? '{' : '[');
        add_white(out, numbers);
        for (size_t i = 0; i < count; i++) {
            if (object) {
                add_white(out, numbers);
                add_string(out, numbers);
                add_white(out, numbers);
                buf_byte(out, ':');
            }
            add_value(out, numbers, room - 1);
            if (i + 1 < count)
                buf_byte(out, ',');
        }
        buf_byte(out, object ? '}' : ']');
    }
    add_white(out, numbers);
}

/* Reader, skip and items see the same members of the same object; one wrong byte is found by all or
 * by none. */
static void check_agreement(struct span text)
{
    struct jsonr token, skip;
    struct jsonr_items items;
    struct span value;
    bool valid = jsonr_valid(text, NULL, NULL);
    cr_assert_eq(read_whole(text, false), valid);
    if (!valid)
        return;
    jsonr_init(&token, text);
    jsonr_init(&skip, text);
    jsonr_next(&token);
    cr_assert_eq(jsonr_next(&skip), token.token);
    if (token.token != JSONR_OBJECT && token.token != JSONR_ARRAY)
        return;
    jsonr_items_init(&items, span_trim(text));
    while (jsonr_items_next(&items)) {
        cr_assert_gt(jsonr_next(&skip), JSONR_END);
        cr_assert_eq(skip.token == JSONR_NAME, items.object);
        if (items.object)
            cr_assert(skip.value.at == items.name.at && skip.value.len == items.name.len);
        cr_assert(jsonr_skip(&skip, &value));
        cr_assert(value.at == items.value.at && value.len == items.value.len);
        cr_assert(jsonr_valid(value, NULL, NULL));
    }
    jsonr_next(&skip);
    cr_assert(skip.token == JSONR_OBJECT_END || skip.token == JSONR_ARRAY_END);
    cr_assert_eq(jsonr_next(&skip), JSONR_END);
}

Test(suite, random_documents)
{
    struct numbers numbers = {4711};
    struct buf text = {0};
    for (int round = 0; round < 4000; round++) {
        enum jsonr_fault fault;
        size_t at;
        buf_clear(&text);
        add_value(&text, &numbers, 5);
        cr_assert(jsonr_valid(buf_span(&text), &fault, &at), "%s at %zu: %s",
                  jsonr_fault_text(fault), at, buf_cstr(&text));
        check_agreement(buf_span(&text));
        size_t cut = numbers_below(&numbers, text.len);
        bool valid = jsonr_valid(span_sub(buf_span(&text), 0, cut), &fault, &at);
        cr_assert(valid || fault == JSONR_CUT || fault == JSONR_EMPTY);
        text.at[numbers_below(&numbers, text.len)] = (char)numbers_next(&numbers);
        check_agreement(buf_span(&text));
    }
    buf_finish(&text);
}
