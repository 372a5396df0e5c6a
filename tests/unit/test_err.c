#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include <stdio.h>

#include "base/err.h"

Test(err, filling)
{
    struct err err = {0};
    cr_assert_not(err_set(&err, ERR_INPUT, NULL, "look at it", "%s at %d", "odd", 3));
    cr_assert_eq(err.kind, ERR_INPUT);
    cr_assert_str_eq(err.where, "");
    cr_assert_str_eq(err.what, "odd at 3");
    cr_assert_not(err_at(&err, "file:1"));
    cr_assert_not(err_at(&err, "file:2"));
    cr_assert_str_eq(err.where, "file:1", "the first place stays");
    /* wrapping an error in itself */
    cr_assert_not(err_set(&err, ERR_USAGE, err.where, err.todo, "policy: %s", err.what));
    cr_assert_str_eq(err.where, "file:1");
    cr_assert_str_eq(err.what, "policy: odd at 3");
    cr_assert_str_eq(err.todo, "look at it");
}

Test(err, too_long_is_cut_between_characters)
{
    struct err err = {0};
    char text[2000];
    for (size_t i = 0; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa9", 3);
    err_set(&err, ERR_INPUT, text, text, "%s", text);
    cr_assert_eq(strlen(err.what), ERR_TEXT - 2); /* 255 letters of two bytes, and the NUL */
    cr_assert_eq(strlen(err.where), ERR_TEXT - 2);
    cr_assert_eq(strlen(err.todo), ERR_TEXT - 2);
}

Test(err, printed_as_one_safe_line, .init = cr_redirect_stderr)
{
    struct err err = {0};
    err_set(&err, ERR_INPUT, "a\nb.jsonl:3", "cut it", "bad \x1b[31m \xff \xe2\x80\xae");
    err_print(&err);
    err_set(&err, ERR_USAGE, NULL, NULL, "no such verb");
    err_print(&err);
    fflush(stderr);
    cr_assert_stderr_eq_str("strandline: a␊b.jsonl:3: bad ␛[31m <ff> <U+202E>; cut it\n"
                            "strandline: no such verb\n");
}
