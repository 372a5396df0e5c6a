/* Safe text: whatever comes in, what goes out is UTF-8, as wide as it says, and hides nothing. */
#include "base/text.h"

#include "tests/fuzz/fuzz.h"

static void check_safe(struct span shown, size_t columns)
{
    size_t width = 0, combining = 0;
    for (size_t at = 0; at < shown.len;) {
        uint32_t code = 0;
        size_t len = utf8_decode(span_sub(shown, at, 4), &code);
        FUZZ_CHECK(len && text_classify(code) == TEXT_PLAIN && code >= 0x20);
        combining = text_width(code) ? 0 : combining + 1;
        FUZZ_CHECK(combining <= 4);
        width += (size_t)text_width(code);
        at += len;
    }
    FUZZ_CHECK(width == columns);
}

static void check_glyphs(struct span input, bool ascii)
{
    struct span rest = input;
    struct glyph glyph;
    size_t columns = 0, bytes = 0;
    while (text_next(&rest, &glyph, ascii)) {
        FUZZ_CHECK(glyph.bytes && glyph.width && glyph.show_len &&
                   glyph.show_len <= sizeof glyph.show);
        check_safe((struct span){glyph.show, glyph.show_len}, glyph.width);
        for (size_t i = 0; ascii && i < glyph.show_len; i++)
            FUZZ_CHECK(glyph.show[i] >= 0x20 && glyph.show[i] < 0x7f);
        columns += glyph.width;
        bytes += glyph.bytes;
    }
    FUZZ_CHECK(bytes == input.len && text_columns(input, ascii) == columns);
}

void fuzz_one(struct span input)
{
    struct buf out = {0};
    size_t bad = input.len, all[] = {text_columns(input, false), text_columns(input, true)};
    struct text_census census = {0};
    check_glyphs(input, false);
    check_glyphs(input, true);
    text_safe(&out, input);
    check_safe(buf_span(&out), all[0]);
    for (size_t room = 0; room < 40; room += 3) {
        for (int ascii = 0; ascii < 2; ascii++) {
            buf_clear(&out);
            size_t used = text_fit(&out, input, room, ascii);
            FUZZ_CHECK(used <= room && (used == all[ascii] || all[ascii] > room));
            check_safe(buf_span(&out), used);
        }
    }
    text_count(&census, input);
    FUZZ_CHECK(utf8_valid(input, &bad) == (census.count[TEXT_INVALID] == 0));
    FUZZ_CHECK(utf8_valid(span_sub(input, 0, bad), NULL));
    buf_clear(&out);
    FUZZ_CHECK(text_decode_tags(&out, input) == (census.count[TEXT_TAG] > 0));
    FUZZ_CHECK(out.len <= census.count[TEXT_TAG]);
    buf_finish(&out);
}
