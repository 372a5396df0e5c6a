#include "base/span.h"

#include "base/ascii.h"

bool span_starts_with(struct span s, struct span prefix)
{
    return s.len >= prefix.len && span_equal(span_sub(s, 0, prefix.len), prefix);
}

bool span_ends_with(struct span s, struct span suffix)
{
    return s.len >= suffix.len && span_equal(span_sub(s, s.len - suffix.len, suffix.len), suffix);
}

size_t span_find_byte(struct span s, char byte)
{
    const char *hit = s.len ? memchr(s.at, byte, s.len) : NULL;
    return hit ? (size_t)(hit - s.at) : s.len;
}

size_t span_find(struct span s, struct span needle)
{
    const char *hit = s.len ? memmem(s.at, s.len, needle.at, needle.len) : NULL;
    return hit ? (size_t)(hit - s.at) : s.len;
}

size_t span_count_byte(struct span s, char byte)
{
    size_t count = 0;
    const char *at = s.at, *end = s.at + s.len;
    while (at < end && (at = memchr(at, byte, (size_t)(end - at)))) {
        count++;
        at++;
    }
    return count;
}

struct span span_trim(struct span s)
{
    while (s.len && ascii_is_blank(s.at[0]))
        s = (struct span){s.at + 1, s.len - 1};
    while (s.len && ascii_is_blank(s.at[s.len - 1]))
        s.len--;
    return s;
}

int span_compare(struct span a, struct span b)
{
    size_t shared = a.len < b.len ? a.len : b.len;
    int order = shared ? memcmp(a.at, b.at, shared) : 0;
    if (order)
        return order;
    return a.len < b.len ? -1 : a.len > b.len;
}

bool span_equal_nocase(struct span a, struct span b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (ascii_lower(a.at[i]) != ascii_lower(b.at[i]))
            return false;
    return true;
}

bool span_to_u64(struct span s, unsigned long long *value)
{
    unsigned long long sum = 0;
    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
        if (__builtin_mul_overflow(sum, 10ULL, &sum) ||
            __builtin_add_overflow(sum, (unsigned long long)(s.at[i] - '0'), &sum))
            return false;
    }
    *value = sum;
    return true;
}
