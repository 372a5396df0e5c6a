/* ArcSight's Common Event Format, version 0: a line a finding. */
#include "cli/export.h"

#include "base/text.h"

/* Text made safe first, so that no line ends where data says so; then what the format escapes. */
static void add_escaped(struct buf *out, struct span text, const char *special)
{
    struct buf safe = {0};
    text_safe(&safe, text);
    for (size_t i = 0; i < safe.len; i++) {
        if (safe.at[i] == '\\' || strchr(special, safe.at[i]))
            buf_byte(out, '\\');
        buf_byte(out, safe.at[i]);
    }
    buf_finish(&safe);
}

static void add_field(struct buf *out, const char *key, struct span value)
{
    if (!value.len)
        return;
    buf_addf(out, " %s=", key);
    add_escaped(out, value, "=");
}

static bool cef_finding(struct exporting *x, const struct finding_view *f,
                        const struct flow_row *row, struct err *err)
{
    static const int severities[] = {1, 3, 5, 8, 10};
    struct buf line = {0};
    (void)err;
    buf_puts(&line, "CEF:0|strandline|strandline|" STRANDLINE_VERSION "|");
    add_escaped(&line, f->code, "|");
    buf_byte(&line, '|');
    add_escaped(&line, f->message, "|");
    buf_addf(&line, "|%d|", severities[f->severity]);
    size_t begin = line.len;
    if (row && row->step.time_digits >= 0)
        buf_addf(&line, " rt=%lld", (long long)(row->step.time_ns / 1000000));
    add_field(&line, "externalId", f->id);
    buf_puts(&line, " cs1Label=session");
    add_field(&line, "cs1", x->session);
    if (row) {
        buf_addf(&line, " cn1Label=step cn1=%lld", (long long)row->step.n);
        add_field(&line, "sproc", row->step.server);
        add_field(&line, "act", row->step.tool);
        if (row->verdict)
            add_field(&line, "outcome", span_of(verdict_word(row->verdict)));
    }
    buf_byte(&line, '\n');
    memmove(line.at + begin, line.at + begin + 1, line.len - begin - 1); /* the first blank */
    line.len--;
    fwrite(line.at, 1, line.len, x->to);
    buf_finish(&line);
    return true;
}

const struct export_form export_cef = {.name = "cef", .finding = cef_finding};
