#include "model/trace/decode.h"

#include "base/ascii.h"
#include "base/text.h"
#include "model/trace/fold.h"

/* So that places in it are cheap to find. */
enum { PERCENT_MOST = 1 << 16 };

/* Bytes that no text has; zero is for UTF-16. */
static bool is_binary(unsigned char c)
{
    return (c < 0x20 && c != 0 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
}

/* Does it read as text? Zero bytes may be every other one (UTF-16). */
static bool reads_as_text(struct span s)
{
    size_t zeros = 0, letters = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        zeros += c == 0;
        letters += (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    }
    if (zeros && zeros * 5 < s.len * 2)
        return false;
    return letters >= 4 && utf8_valid(s, NULL);
}

static bool decode64(struct span run, struct buf *out)
{
    size_t begin = out->len;
    uint32_t bits = 0;
    size_t have = 0;
    for (size_t i = 0; i < run.len; i++) {
        bits = bits << 6 | (uint32_t)base64_digit(run.at[i]);
        have += 6;
        if (have >= 8) {
            have -= 8;
            unsigned char byte = (unsigned char)(bits >> have & 0xff);
            if (is_binary(byte))
                goto binary;
            buf_byte(out, (char)byte);
        }
    }
    if (run.len % 4 != 1 && reads_as_text(span_sub(buf_span(out), begin, out->len)))
        return true;
binary:
    out->len = begin;
    return false;
}

static bool decode16(struct span run, struct buf *out)
{
    size_t begin = out->len;
    for (size_t i = 0; i + 1 < run.len; i += 2) {
        unsigned char byte = (unsigned char)(hex_digit(run.at[i]) * 16 + hex_digit(run.at[i + 1]));
        if (is_binary(byte))
            goto binary;
        buf_byte(out, (char)byte);
    }
    if (reads_as_text(span_sub(buf_span(out), begin, out->len)))
        return true;
binary:
    out->len = begin;
    return false;
}

static bool is_percent(struct span s, size_t at)
{
    return at + 2 < s.len && s.at[at] == '%' && hex_digit(s.at[at + 1]) >= 0 &&
           hex_digit(s.at[at + 2]) >= 0;
}

static void decode_percent(struct span run, struct buf *out)
{
    for (size_t i = 0; i < run.len; i++) {
        if (is_percent(run, i)) {
            buf_byte(out, (char)(hex_digit(run.at[i + 1]) * 16 + hex_digit(run.at[i + 2])));
            i += 2;
        } else {
            buf_byte(out, run.at[i] == '+' ? ' ' : run.at[i]);
        }
    }
}

void decoder_init(struct decoder *decoder, struct span text)
{
    *decoder = (struct decoder){.text = text};
}

/* Runs of what may stand in a URL, with a percent escape in them. */
static bool next_percent(struct decoder *d, struct encoded *run, struct buf *out)
{
    while (d->at < d->text.len) {
        size_t percent = d->at + span_find_byte(span_sub(d->text, d->at, d->text.len), '%');
        if (percent == d->text.len)
            return false;
        size_t begin = percent, end = percent + 1;
        while (begin > d->at && percent - begin < PERCENT_MOST &&
               byte_is(d->text.at[begin - 1], BYTE_URL))
            begin--;
        bool escape = is_percent(d->text, percent);
        while (end < d->text.len && end - begin < (size_t)2 * PERCENT_MOST &&
               byte_is(d->text.at[end], BYTE_URL)) {
            escape = escape || is_percent(d->text, end);
            end++;
        }
        d->at = end;
        if (escape) {
            *run = (struct encoded){TRACE_PERCENT, begin, end - begin};
            decode_percent(span_sub(d->text, begin, run->len), out);
            return true;
        }
    }
    return false;
}

/* A run of digits from `begin` to `end`: hex, or base64 as a whole. */
static bool decode_whole(struct span text, size_t begin, size_t end, struct encoded *run,
                         struct buf *out)
{
    struct span whole = span_sub(text, begin, end - begin);
    size_t hex = whole.len > 2 && whole.at[0] == '0' && (whole.at[1] | 0x20) == 'x' ? 2 : 0;
    size_t digits = 0;
    for (size_t i = hex; i < whole.len && byte_is(whole.at[i], BYTE_HEX); i++)
        digits++;
    *run = (struct encoded){TRACE_HEX, begin + hex, digits};
    if (digits == whole.len - hex && digits % 2 == 0 && digits >= DECODE_LEAST &&
        decode16(span_sub(text, run->at, digits), out))
        return true;
    *run = (struct encoded){TRACE_BASE64, begin, whole.len};
    return decode64(whole, out);
}

/* Base64 between two slashes: the slash is a digit too, and more often a part of a path. */
static bool next_part(struct decoder *d, struct encoded *run, struct buf *out)
{
    while (d->at < d->tried) {
        size_t begin = d->at;
        while (d->at < d->tried && d->text.at[d->at] != '/')
            d->at++;
        *run = (struct encoded){TRACE_BASE64, begin, d->at - begin};
        d->at += d->at < d->tried;
        if (run->len >= DECODE_LEAST && decode64(span_sub(d->text, begin, run->len), out))
            return true;
    }
    return false;
}

/* The next run of at least DECODE_LEAST digits from `at` on: where it is not, most bytes are never
 * looked at. */
static size_t find_digits(struct span text, size_t at, size_t *end)
{
    size_t known = at; /* bytes from `at` to here are digits */
    while (text.len - at >= DECODE_LEAST) {
        size_t last = at + DECODE_LEAST;
        while (last > known && byte_is(text.at[last - 1], BYTE_BASE64))
            last--;
        if (last == known) {
            for (last = at + DECODE_LEAST; last < text.len && byte_is(text.at[last], BYTE_BASE64);)
                last++;
            *end = last;
            return at;
        }
        known = at + DECODE_LEAST;
        at = last;
    }
    *end = text.len;
    return text.len;
}

static bool next_digits(struct decoder *d, struct encoded *run, struct buf *out)
{
    while (d->at < d->text.len) {
        if (next_part(d, run, out))
            return true;
        size_t begin = find_digits(d->text, d->at, &d->at);
        if (begin == d->text.len)
            return false;
        if (decode_whole(d->text, begin, d->at, run, out))
            return true;
        d->tried = d->at;
        d->at = begin;
    }
    return false;
}

bool decode_next(struct decoder *d, struct encoded *run, struct buf *out)
{
    if (!d->digits && next_percent(d, run, out))
        return true;
    if (!d->digits) {
        d->digits = true;
        d->at = d->tried = 0;
    }
    return next_digits(d, run, out);
}

size_t decode_place(struct span text, const struct encoded *run, size_t offset, bool end)
{
    size_t place = 0;
    if (run->how == TRACE_HEX)
        place = offset * 2;
    else if (run->how == TRACE_BASE64)
        place = end ? (offset * 4 + 2) / 3 : offset * 4 / 3;
    else
        for (struct span s = span_sub(text, run->at, run->len); offset > 0 && place < s.len;
             offset--)
            place += is_percent(s, place) ? 3 : 1;
    return run->at + (place < run->len ? place : run->len);
}
