#include "tui/derivation.h"

#include <stdio.h>

#include "base/text.h"

enum {
    DERIVATION_INDENT = 4,
    DERIVATION_LISTED = 200, /* changes that are listed; the dump lights more of them */
};

/* What canonicalization did to a byte. */
enum fate { FATE_KEPT, FATE_MOVED, FATE_CHANGED };

static enum style style_of_fate(enum fate fate)
{
    return fate == FATE_CHANGED ? STYLE_MATCH : fate == FATE_MOVED ? STYLE_UNKNOWN : STYLE_PLAIN;
}

/* The fate of each of the `len` bytes of the record (`before`) or of the canonical bytes. */
static unsigned char *fates(const struct derivation *d, bool before, size_t len)
{
    unsigned char *fate = mem_alloc(len + 1);
    memset(fate, FATE_KEPT, len + 1);
    for (size_t i = 0; i < d->changes_kept; i++) {
        const struct derivation_change *c = &d->changes[i];
        size_t at = before ? c->in : c->out, n = before ? c->in_len : c->out_len;
        size_t end = at < len ? (n < len - at ? at + n : len) : 0;
        unsigned char is = c->moved ? FATE_MOVED : FATE_CHANGED;
        for (size_t k = at; k < end; k++)
            if (fate[k] < is)
                fate[k] = is;
    }
    return fate;
}

static void step_line(struct doc *doc, int number, const char *name)
{
    doc_line(doc, 0);
    doc_oursf(doc, STYLE_KEY, "%d ", number);
    doc_oursf(doc, STYLE_STRONG, "%-16s", name);
    doc_hang(doc, 18);
}

static void add_rest(struct doc *doc, size_t more, const char *of_what)
{
    if (!more)
        return;
    doc_line(doc, DERIVATION_INDENT);
    doc_oursf(doc, STYLE_DIM, "and %zu more %s%s", more, of_what, more == 1 ? "" : "s");
}

/* ---- bytes ---- */

static char shown_byte(char byte)
{
    return byte >= ' ' && byte <= '~' ? byte : '.';
}

/* One row of a dump: where, hex, text. Runs of the same fate are one part. */
static void add_row(struct doc *doc, struct span bytes, const unsigned char *fate, size_t from,
                    size_t width)
{
    size_t end = from + width < bytes.len ? from + width : bytes.len;
    char text[16 * 3 * 4 + 8];
    doc_line(doc, DERIVATION_INDENT);
    doc_one_row(doc);
    doc_oursf(doc, STYLE_FAINT, "%04zx  ", from);
    for (size_t i = from, run; i < end; i = run) {
        size_t n = 0;
        for (run = i; run < end && fate[run] == fate[i]; run++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%02x", run > i ? " " : "",
                                  (unsigned char)bytes.at[run]);
        doc_ours(doc, style_of_fate((enum fate)fate[i]), text);
        doc_ours(doc, STYLE_PLAIN, " ");
    }
    doc_oursf(doc, STYLE_PLAIN, "%*s", (int)(3 * (from + width - end)) + 1, "");
    for (size_t i = from, run; i < end; i = run) {
        for (run = i; run < end && fate[run] == fate[i]; run++)
            text[run - i] = shown_byte(bytes.at[run]);
        doc_data(doc, style_of_fate((enum fate)fate[i]), (struct span){text, run - i});
    }
}

static void add_dump(struct doc *doc, struct span bytes, const unsigned char *fate, size_t whole,
                     int columns)
{
    /* "0000  ", three columns a byte and one for its text, a space between */
    size_t width = columns >= DERIVATION_INDENT + 7 + 4 * 32   ? 32
                   : columns >= DERIVATION_INDENT + 7 + 4 * 16 ? 16
                                                               : 8;
    for (size_t from = 0; from < bytes.len; from += width)
        add_row(doc, bytes, fate, from, width);
    add_rest(doc, whole - bytes.len, "byte");
}

/* The record's own text, on as many rows as it takes; what will change is lit. */
static void add_record_text(struct doc *doc, struct span text, const unsigned char *fate,
                            size_t whole)
{
    doc_line(doc, DERIVATION_INDENT);
    doc_hang(doc, DERIVATION_INDENT);
    for (size_t i = 0, run; i < text.len; i = run) {
        for (run = i; run < text.len && fate[run] == fate[i] && text.at[run] != '\n'; run++)
            ;
        if (run > i)
            doc_data(doc, style_of_fate((enum fate)fate[i]), span_sub(text, i, run - i));
        if (run < text.len && text.at[run] == '\n') {
            doc_ours(doc, fate[run] ? style_of_fate((enum fate)fate[run]) : STYLE_FAINT, "↵");
            if (++run < text.len) {
                doc_line(doc, DERIVATION_INDENT);
                doc_hang(doc, DERIVATION_INDENT);
            }
        }
    }
    add_rest(doc, whole - text.len, "byte");
}

/* ---- the steps ---- */

static void add_record(struct doc *doc, const struct evidence_view *e, const struct derivation *d,
                       int columns)
{
    step_line(doc, 1, "record");
    if (!d->record.at) {
        doc_ours(doc, STYLE_UNKNOWN,
                 d->canonicalization ? "none is held here: nothing to derive the digest from"
                                     : "what the reference asks for can't be derived here");
        return;
    }
    doc_data(doc, STYLE_PLAIN, e->record);
    doc_oursf(doc, STYLE_DIM, "  %s, %zu byte%s as it came", d->form, d->record_len,
              d->record_len == 1 ? "" : "s");
    unsigned char *fate = fates(d, true, d->record.len);
    if (strcmp(d->form, "JSON") == 0)
        add_record_text(doc, d->record, fate, d->record_len);
    else
        add_dump(doc, d->record, fate, d->record_len, columns);
    mem_free(fate);
}

static void add_one_change(struct doc *doc, const struct derivation *d,
                           const struct derivation_change *c)
{
    struct buf text = {0};
    doc_line(doc, DERIVATION_INDENT + 2);
    doc_one_row(doc);
    doc_oursf(doc, STYLE_DIM, "byte %-6zu ", c->in);
    doc_oursf(doc, style_of_fate(c->moved ? FATE_MOVED : FATE_CHANGED), "%s", c->what);
    text_fit(&text, span_sub(d->record, c->in, c->in_len), 28, false);
    doc_ours(doc, STYLE_PLAIN, "  ");
    doc_data(doc, STYLE_PLAIN, buf_span(&text));
    if (c->out_len) {
        buf_clear(&text);
        text_fit(&text, span_sub(d->canonical, c->out, c->out_len), 28, false);
        doc_ours(doc, STYLE_DIM, " → ");
        doc_data(doc, STYLE_PLAIN, buf_span(&text));
        doc_oursf(doc, STYLE_DIM, "  at %zu", c->out);
    }
    buf_finish(&text);
}

static void add_changes(struct doc *doc, const struct derivation *d)
{
    size_t line = doc->lines;
    doc_line(doc, DERIVATION_INDENT);
    if (d->change_count)
        doc_oursf(doc, STYLE_PLAIN, "%zu thing%s changed on the way, position by position ",
                  d->change_count, d->change_count == 1 ? "" : "s");
    else
        doc_ours(doc, STYLE_DIM, "the record is canonical as it came: nothing was changed");
    size_t listed = d->changes_kept < DERIVATION_LISTED ? d->changes_kept : DERIVATION_LISTED;
    for (size_t i = 0; i < listed; i++)
        add_one_change(doc, d, &d->changes[i]);
    add_rest(doc, d->change_count - listed, "change");
    if (d->change_count)
        doc_fold_from(doc, line, d->change_count > 6);
    for (size_t i = 0; i < d->note_count; i++) {
        doc_line(doc, DERIVATION_INDENT);
        doc_oursf(doc, STYLE_UNKNOWN, "note: %s", d->note[i]);
    }
}

/* What the colours mean, of those that are there. */
static void add_legend(struct doc *doc, const unsigned char *fate, size_t len)
{
    static const char *const words[] = {[FATE_MOVED] = "moved", [FATE_CHANGED] = "written anew"};
    for (enum fate f = FATE_MOVED; f <= FATE_CHANGED; f++) {
        if (!memchr(fate, (int)f, len))
            continue;
        doc_ours(doc, STYLE_PLAIN, "  ");
        doc_ours(doc, style_of_fate(f), words[f]);
    }
}

/* False: there are none, and the derivation ends here. */
static bool add_canonical(struct doc *doc, const struct derivation *d, int columns)
{
    step_line(doc, 2, "canonical bytes");
    if (!d->canonical.at) {
        doc_oursf(doc, STYLE_BAD, "✘ it has none under %s: %s", d->canonicalization, d->why);
        doc_oursf(doc, STYLE_DIM, ", at byte %zu", d->why_at);
        return false;
    }
    doc_oursf(doc, STYLE_PLAIN, "%s", d->canonicalization);
    doc_oursf(doc, STYLE_DIM, "  %zu byte%s", d->canonical_len, d->canonical_len == 1 ? "" : "s");
    if (d->encoded_again)
        doc_ours(doc, STYLE_UNKNOWN, "  not deterministic as it came: encoded again");
    unsigned char *fate = fates(d, false, d->canonical.len);
    add_legend(doc, fate, d->canonical.len);
    add_dump(doc, d->canonical, fate, d->canonical_len, columns);
    mem_free(fate);
    if (d->changes_known)
        add_changes(doc, d);
    return true;
}

static void add_compare(struct doc *doc, const struct derivation *d)
{
    step_line(doc, 3, "digest");
    doc_oursf(doc, STYLE_DIM, "%s of these bytes", d->algorithm);
    doc_line(doc, DERIVATION_INDENT);
    doc_data(doc, d->same ? STYLE_GOOD : STYLE_BAD, d->computed);
    step_line(doc, 4, "compare");
    doc_oursf(doc, d->same ? STYLE_GOOD : STYLE_BAD, "%s",
              d->same ? "✔ the same bytes as the reference has"
                      : "✘ the reference has other bytes");
    doc_line(doc, DERIVATION_INDENT);
    doc_data(doc, STYLE_PLAIN, d->wanted);
}

static void add_diagnosis(struct doc *doc, const struct derivation *d)
{
    step_line(doc, 5, "diagnosis");
    if (d->matches_under) {
        doc_oursf(doc, STYLE_UNKNOWN, "matches under %s", d->matches_under);
        doc_line(doc, 18);
        doc_data(doc, STYLE_PLAIN, d->advice);
    } else if (d->cause.at) {
        doc_data(doc, STYLE_UNKNOWN, d->cause);
        doc_line(doc, 18);
        doc_hang(doc, 18);
        doc_data(doc, STYLE_PLAIN, d->advice);
    } else if (!d->diagnosed) {
        doc_ours(doc, STYLE_GOOD, "none is needed");
        return;
    } else {
        doc_ours(doc, STYLE_PLAIN,
                 d->out_of_time
                     ? "the usual ways of writing it wrong were not all tried: time was up"
                     : "no usual way of writing this record gives that digest");
    }
    if (d->diagnosed)
        doc_oursf(doc, STYLE_DIM, "  %u digest%s tried", d->tried, d->tried == 1 ? "" : "s");
}

void derivation_add(struct doc *doc, const struct evidence_view *e, const struct derivation *d,
                    int columns)
{
    add_record(doc, e, d, columns);
    if (!d->record.at)
        return;
    if (add_canonical(doc, d, columns) && d->computed.at)
        add_compare(doc, d);
    add_diagnosis(doc, d);
}
