#include "tui/mend.h"

#include "base/jsonr.h"
#include "base/mem.h"

enum { DEPTH_MOST = 512, ESCAPE_MOST = 12 /* a surrogate pair, "\ud83d\ude0" */ };

struct mender {
    struct jsonr r;
    char closer[DEPTH_MOST]; /* of each open container */
    size_t depth;
    size_t good;      /* up to here it is whole, but for the closers */
    bool wants_value; /* the last token was a name… */
    size_t name_end;  /* …that ended here */
};

/* Reads as far as it goes; false: the fault is another than the end of the text. */
static bool read_on(struct mender *m, struct span text)
{
    while (jsonr_next(&m->r) > JSONR_END) {
        m->wants_value = m->r.token == JSONR_NAME;
        if (m->wants_value)
            m->name_end = (size_t)(m->r.value.at + m->r.value.len + 1 - text.at);
        if (m->r.token == JSONR_OBJECT || m->r.token == JSONR_ARRAY) {
            if (m->depth == DEPTH_MOST)
                return false;
            m->closer[m->depth++] = m->r.token == JSONR_OBJECT ? '}' : ']';
        } else if (m->r.token == JSONR_OBJECT_END || m->r.token == JSONR_ARRAY_END) {
            m->depth--;
        }
        bool half = m->r.token == JSONR_NUMBER && m->r.at == m->r.end; /* is it 2, or 20? */
        if (!m->wants_value && !half)
            m->good = (size_t)(m->r.at - text.at);
    }
    return m->r.token == JSONR_END || m->r.fault == JSONR_CUT || m->r.fault == JSONR_BAD_UTF8 ||
           m->r.fault == JSONR_BAD_ESCAPE;
}

/* The text ends inside of a string that is a value: its start is kept. */
static bool add_cut_string(struct mender *m, struct span text, struct buf *out)
{
    size_t begin = m->wants_value ? m->name_end : m->good;
    while (begin < text.len && text.at[begin] != '"')
        begin++;
    bool in_array = m->depth && m->closer[m->depth - 1] == ']';
    if (begin == text.len || (!m->wants_value && !in_array))
        return false;
    buf_clear(out);
    buf_add(out, text);
    for (int cut = 0; cut < ESCAPE_MOST && out->len > begin + 1; cut++, out->len--) {
        buf_byte(out, '"');
        if (jsonr_valid(span_sub(buf_span(out), begin, out->len), NULL, NULL))
            return true;
        out->len--;
    }
    return false;
}

bool json_mend(struct span text, struct buf *out)
{
    struct mender *m = NEW(struct mender);
    jsonr_init(&m->r, text);
    bool mended = read_on(m, text) && m->good > 0;
    if (mended && !add_cut_string(m, text, out)) {
        buf_clear(out);
        buf_add(out, span_sub(text, 0, m->good));
    }
    while (mended && m->depth > 0)
        buf_byte(out, m->closer[--m->depth]);
    mended = mended && jsonr_valid(buf_span(out), NULL, NULL);
    jsonr_finish(&m->r);
    mem_free(m);
    return mended;
}
