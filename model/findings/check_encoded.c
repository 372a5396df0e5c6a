/* Encoded text amid plain text (HX06): what a person who is asked to allow it doesn't read. */
#include "base/ascii.h"
#include "base/text.h"
#include "model/findings/check_internal.h"
#include "model/trace/decode.h"
#include "model/trace/secret.h"

/* Words with blanks between them: not an id, a token's JSON or a picture's markup, which are
 * encoded so that they can travel. The zeros of UTF-16 are no part of it. */
static bool says_words(struct span text)
{
    enum { WORDS_LEAST = 3 };
    size_t words = 0, letters = 0;
    bool inside = false;
    if (text.len && ascii_is_one_of(text.at[0], "{[<"))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        bool blank = ascii_is_blank(c), sign = !ascii_is_alnum(c) && (unsigned char)c < 0x80;
        words += c && !blank && !inside;
        inside = c ? !blank : inside;
        letters += c && !sign;
    }
    return words >= WORDS_LEAST && letters * 2 >= text.len - span_count_byte(text, '\0');
}

static void tell_encoded(const struct look *look, const struct string_at *s,
                         const struct encoded *run, struct span says)
{
    struct finding_evidence here = evidence_in(look, s, run->at, run->len);
    struct buf plain = {0}, masked = {0}, safe = {0};
    for (size_t i = 0; i < says.len; i++)
        if (says.at[i])
            buf_byte(&plain, says.at[i]);
    secrets_mask(&masked, buf_span(&plain));
    text_safe(&safe, span_sub(buf_span(&masked), 0, 160));
    finding_add(look, CODE_HX06,
                look->step->kind == STEP_TOOL_CALL ? SEVERITY_MEDIUM : SEVERITY_DEFAULT, &here, 1,
                "%s in the text says: %s", run->how == TRACE_HEX ? "hex" : "base64",
                buf_cstr(&safe));
    buf_finish(&plain);
    buf_finish(&masked);
    buf_finish(&safe);
}

/* A value that is encoded as a whole is so because its API asks for it; percent escapes are how
 * addresses are written. */
static bool tell_first(const struct look *look, const struct string_at *s)
{
    struct decoder decoder;
    struct encoded run;
    struct buf says = {0};
    bool told = false;
    decoder_init(&decoder, s->text);
    for (; !told && decode_next(&decoder, &run, &says); buf_clear(&says)) {
        told = run.how != TRACE_PERCENT && run.len + 4 < s->text.len && says_words(buf_span(&says));
        if (told)
            tell_encoded(look, s, &run, buf_span(&says));
    }
    buf_finish(&says);
    return told;
}

void check_encoded(struct look *look)
{
    if (look->step->kind != STEP_TOOL_CALL && !look_brings_text(look))
        return;
    const struct strings *strings = look_strings(look);
    bool told = false; /* one says it of the step */
    for (size_t i = 0; !told && i < strings->count; i++)
        told = tell_first(look, &strings->items[i]);
}
