/* Imports a log into a fresh case and says how fast, and how much memory it took.
 * bench_ingest LOG CASE */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ingest/import.h"

static double now(clockid_t clock)
{
    struct timespec at;
    clock_gettime(clock, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: bench_ingest LOG CASE\n", stderr);
        return 2;
    }
    struct err err = {0};
    struct import_options options = {0};
    struct import_totals totals;
    unlink(argv[2]);
    struct case_file *c = case_create(argv[2], &err);
    double begin = now(CLOCK_MONOTONIC);
    const char *paths[] = {argv[1]};
    if (!c || !import_logs(c, paths, 1, &options, &totals, &err)) {
        err_print(&err);
        return 1;
    }
    double seconds = now(CLOCK_MONOTONIC) - begin;
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf(
        "%.2f s (%.2f s of the processor, %.2f s of them on the first thread)  %.0f MB/s  %.0f events/s  %ld MB at most  (%llu events, %llu steps)\n",
        seconds, now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_THREAD_CPUTIME_ID),
        (double)totals.bytes / 1e6 / seconds, (double)totals.events / seconds,
        used.ru_maxrss / 1024, (unsigned long long)totals.events, (unsigned long long)totals.steps);
    case_close(c);
    return 0;
}
