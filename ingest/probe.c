#include "ingest/probe.h"

#include <stdarg.h>
#include <stdio.h>

struct vote probe_lines(const struct probe *p, bool (*match)(struct span line))
{
    struct vote vote = {0};
    struct span rest = p->head;
    while (rest.len && vote.seen < PROBE_RECORDS) {
        size_t end = span_find_byte(rest, '\n');
        bool cut = end == rest.len && !p->whole;
        if (cut && vote.seen)
            break;
        struct span line = span_trim(span_sub(rest, 0, end));
        rest = span_sub(rest, end + 1, rest.len);
        if (!line.len)
            continue;
        vote.seen++;
        vote.matched += match(line);
    }
    return vote;
}

struct vote probe_values(const struct probe *p, bool (*match)(struct span value))
{
    struct vote vote = {0};
    struct span rest = span_trim(p->head);
    while (rest.len && vote.seen < PROBE_RECORDS) {
        bool cut = false;
        size_t len = jsonr_first_value(rest, &cut);
        if (!len && cut && !vote.seen)
            len = rest.len; /* one giant value: its beginning votes */
        if (!len)
            break;
        vote.seen++;
        vote.matched += match(span_trim(span_sub(rest, 0, len)));
        rest = span_trim(span_sub(rest, len, rest.len));
    }
    return vote;
}

void probe_say(struct probe *p, int confidence, const char *format, ...)
{
    p->confidence = confidence;
    va_list args;
    va_start(args, format);
    vsnprintf(p->reason, sizeof p->reason, format, args);
    va_end(args);
}

void probe_count(struct probe *p, struct vote vote, int best, const char *what)
{
    if (!vote.matched)
        return;
    int lowest = best / 2;
    int confidence = lowest + (int)((unsigned)(best - lowest) * vote.matched / vote.seen);
    probe_say(p, confidence, "%u of the first %u records %s", vote.matched, vote.seen, what);
}

bool probe_begins(const struct probe *p, char byte)
{
    struct span head = span_trim(p->head);
    return head.len && head.at[0] == byte;
}

bool probe_member(const struct probe *p, const char *name, struct span *value)
{
    return jsonr_member(span_trim(p->head), name, value);
}

bool object_has(struct span object, const char *const *names)
{
    struct span value;
    for (; *names; names++)
        if (!jsonr_member(object, *names, &value))
            return false;
    return true;
}
