/*
 * Runs a fuzz target over every file of a folder, and over damaged copies of each: cut at every
 * place (of larger files, at some hundred), and with some bytes changed. The damage is the same in
 * every run.
 *
 *     replay_THING FOLDER
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>

#include "tests/unit/files.h"
#include "tests/unit/numbers.h"

enum { CUTS = 700, CHANGES = 300 };

/* In memory of its own size, so that a sanitizer sees a read behind the end. */
static void run_on_copy(struct span input)
{
    char *copy = malloc(input.len ? input.len : 1);
    FUZZ_CHECK(copy);
    if (input.len)
        memcpy(copy, input.at, input.len);
    fuzz_one((struct span){copy, input.len});
    free(copy);
}

static void change(struct buf *text, struct numbers *numbers)
{
    static const char likely[] = "\"\\{}[]:,0-eu\n\x1b\x7f\x80\xbf\xc2\xe2\xed\xf0\xf3\xff";
    for (size_t count = 1 + numbers_below(numbers, 3); count > 0; count--) {
        size_t place = numbers_below(numbers, text->len);
        bool any = numbers_below(numbers, 2);
        text->at[place] =
            any ? (char)numbers_next(numbers) : likely[numbers_below(numbers, sizeof likely)];
    }
}

static void run_on_file(struct span text, struct numbers *numbers)
{
    struct buf damaged = {0};
    run_on_copy(text);
    for (size_t len = 0; len < text.len; len += 1 + text.len / CUTS)
        run_on_copy(span_sub(text, 0, len));
    for (size_t round = 0; text.len && round < CHANGES; round++) {
        buf_clear(&damaged);
        buf_add(&damaged, text);
        change(&damaged, numbers);
        run_on_copy(buf_span(&damaged));
    }
    buf_finish(&damaged);
}

int main(int count, char **arguments)
{
    struct numbers numbers = {20260728};
    struct buf path = {0}, text = {0};
    size_t files = 0;
    DIR *folder = count == 2 ? opendir(arguments[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "replay: %s: can't be read; name the folder of a corpus\n",
                count == 2 ? arguments[1] : "");
        return 2;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        buf_clear(&path);
        buf_clear(&text);
        buf_addf(&path, "%s/%s", arguments[1], entry->d_name);
        if (!files_read(buf_cstr(&path), &text))
            continue;
        run_on_file(buf_span(&text), &numbers);
        files++;
    }
    closedir(folder);
    buf_finish(&path);
    buf_finish(&text);
    printf("%zu files, and damaged copies of them\n", files);
    return files == 0;
}
