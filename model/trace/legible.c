#include "model/trace/legible.h"

#include "base/text.h"
#include "model/trace/fold.h"

/* Appends what it says without the characters that nobody sees; tags say their letters. False, and
 * nothing is appended, where it has none. */
static bool append_bare(struct buf *out, struct span text)
{
    struct buf plain = {0};
    size_t begin = out->len;
    bool hides = false;
    uint32_t code;
    if (span_find(text, SPAN("\\u")) < text.len)
        fold_unescape(&plain, text);
    struct span rest = plain.len ? buf_span(&plain) : text;
    while (rest.len) {
        size_t len = (unsigned char)rest.at[0] < 0x80 ? 1 : utf8_decode(rest, &code);
        if (!len)
            len = 1;
        else if (len > 1) {
            enum text_mark mark = text_classify(code);
            bool unseen = mark == TEXT_INVISIBLE || mark == TEXT_BIDI || mark == TEXT_TAG;
            hides = hides || unseen;
            if (mark == TEXT_TAG && code >= 0xe0020 && code < 0xe007f)
                buf_byte(out, (char)(code - 0xe0000));
            else if (!unseen)
                buf_add(out, span_sub(rest, 0, len));
            rest = span_sub(rest, len, rest.len);
            continue;
        }
        buf_add(out, span_sub(rest, 0, len));
        rest = span_sub(rest, len, rest.len);
    }
    buf_finish(&plain);
    if (!hides)
        out->len = begin;
    return hides;
}

/* What a run says; the zeros of UTF-16 are no part of it. */
static void append_run(struct legible *out, size_t *room, struct buf *text,
                       const struct encoded *run, struct span says)
{
    buf_byte(text, '\n');
    out->runs = mem_one_more(out->runs, out->count, room, sizeof *out->runs);
    out->runs[out->count++] = (struct legible_run){text->len, *run};
    for (size_t i = 0; i < says.len; i++)
        if (says.at[i])
            buf_byte(text, says.at[i]);
}

void legible_read(struct span text, struct arena *arena, struct legible *out)
{
    struct buf more = {0}, says = {0};
    struct decoder decoder;
    struct encoded run;
    size_t room = 0;
    *out = (struct legible){.text = text, .written = text.len};
    decoder_init(&decoder, text);
    for (; decode_next(&decoder, &run, &says); buf_clear(&says))
        append_run(out, &room, &more, &run, buf_span(&says));
    size_t bare = more.len + 1;
    buf_byte(&more, '\n');
    if (!append_bare(&more, text))
        more.len = bare - 1;
    out->bare = text.len + (bare < more.len ? bare : more.len);
    if (more.len) {
        char *whole = arena_alloc(arena, text.len + more.len);
        memcpy(whole, text.at, text.len);
        memcpy(whole + text.len, more.at, more.len);
        out->text = (struct span){whole, text.len + more.len};
        struct legible_run *runs = arena_array(arena, out->count + 1, sizeof *runs);
        for (size_t i = 0; i < out->count; i++)
            runs[i] = (struct legible_run){text.len + out->runs[i].begin, out->runs[i].run};
        mem_free(out->runs);
        out->runs = runs;
    }
    buf_finish(&more);
    buf_finish(&says);
}

const char *legible_place(const struct legible *legible, size_t at, size_t *offset, size_t *length)
{
    const struct legible_run *found = NULL;
    if (at < legible->written)
        return NULL;
    *offset = 0;
    *length = legible->written;
    if (at >= legible->bare)
        return "invisible characters";
    for (size_t i = 0; i < legible->count && legible->runs[i].begin <= at; i++)
        found = &legible->runs[i];
    if (!found)
        return NULL;
    *offset = found->run.at;
    *length = found->run.len;
    return trace_how_word(found->run.how);
}
