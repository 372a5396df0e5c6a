/* How fast text is made safe and hidden text counted. Prints a table; see README.md beside it. */
#include <stdio.h>
#include <time.h>

#include "base/text.h"

enum { WANTED_BYTES = 8 << 20, ROUNDS = 5 };

static struct buf out;
static size_t sum; /* so that no loop is for nothing */

static void run_valid(struct span text)
{
    sum += utf8_valid(text, NULL);
}

static void run_safe(struct span text)
{
    buf_clear(&out);
    text_safe(&out, text);
    sum += out.len;
}

static void run_count(struct span text)
{
    struct text_census census = {0};
    text_count(&census, text);
    sum += census.count[TEXT_PLAIN];
}

static void run_fit(struct span text)
{
    for (size_t at = 0; at < text.len; at += 200) {
        buf_clear(&out);
        sum += text_fit(&out, span_sub(text, at, 200), 80, false);
    }
}

/* Megabytes a second in the best of some rounds. */
static double speed(struct span text, void (*run)(struct span text))
{
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        run(text);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds =
            (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
        if ((double)text.len / seconds > best)
            best = (double)text.len / seconds;
    }
    return best / 1e6;
}

int main(void)
{
    static const struct {
        const char *name, *piece;
    } texts[] = {
        {"English", "The context of a session rises when results come in, and never falls.\n"},
        {"French", "Le contexte d’une séance monte à l’arrivée des résultats.\n"},
        {"Russian", "Контекст сеанса растёт, когда приходят результаты.\n"},
        {"Chinese", "会话的上下文从不下降,只会在结果到来时上升。\n"},
        {"hidden", "a\xe2\x80\x8b"
                   "b\xe2\x80\xae"
                   "c\x1b[31m\xff\xf3\xa0\x81\xa1\n"},
    };
    struct buf text = {0};
    printf("%-12s %9s %9s %9s %9s\n", "MB/s", "valid", "safe", "count", "fit");
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        buf_clear(&text);
        while (text.len < WANTED_BYTES)
            buf_puts(&text, texts[i].piece);
        struct span all = buf_span(&text);
        printf("%-12s %9.0f %9.0f %9.0f %9.0f\n", texts[i].name, speed(all, run_valid),
               speed(all, run_safe), speed(all, run_count), speed(all, run_fit));
    }
    buf_finish(&text);
    buf_finish(&out);
    return sum == 0;
}
