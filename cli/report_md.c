/*
 * The report as Markdown, for tickets and pull requests. What data could say in
 * Markdown is taken from it: every sign of the language is escaped, addresses
 * do not become links, names do not call people.
 */
#include "base/ascii.h"
#include "base/text.h"
#include "cli/report.h"

/* ---- the one place where text becomes Markdown ---- */

static bool md_is_word(char c)
{
    return ascii_is_alnum(c) || (unsigned char)c >= 0x80;
}

/* Does the character mean something to Markdown where it stands? */
static bool md_means(struct span s, size_t i)
{
    char c = s.at[i], before = i ? s.at[i - 1] : ' ', after = i + 1 < s.len ? s.at[i + 1] : ' ';
    switch (c) {
    case '-':
    case '+':
    case '=':
        return i == 0; /* a list, or a heading's underline */
    case '.':
        return before == 'w' || before == 'W' || (i < 10 && before >= '0' && before <= '9');
    case ':':
        return after == '/';
    case '_':
        return !md_is_word(before) || !md_is_word(after);
    default:
        return (unsigned char)c < 0x80 && ascii_is_one_of(c, "&<>@#$\\`*[]|~");
    }
}

static void md_escape(struct buf *out, struct span safe)
{
    for (size_t i = 0; i < safe.len; i++) {
        char c = safe.at[i];
        if (!md_means(safe, i))
            buf_byte(out, c);
        else if (ascii_is_one_of(c, "&<>@#$.:")) /* nor HTML, an address, a mention, a formula */
            buf_addf(out, "&#%d;", c);
        else
            buf_addf(out, "\\%c", c);
    }
}

static void md_data(struct buf *out, struct span data)
{
    struct buf safe = {0};
    text_safe(&safe, data);
    md_escape(out, buf_span(&safe));
    buf_finish(&safe);
}

/* A digest, or another thing of ours without back-ticks, as code. */
static void md_code(struct buf *out, struct span data)
{
    bool plain = data.len > 0;
    for (size_t i = 0; plain && i < data.len; i++)
        plain = (data.at[i] >= '0' && data.at[i] <= '9') ||
                (data.at[i] >= 'a' && data.at[i] <= 'z') || data.at[i] == ':' || data.at[i] == '-';
    if (plain)
        buf_addf(out, "`%.*s`", SPAN_ARG(data));
    else
        md_data(out, data);
}

/* ---- pieces ---- */

static void md_step(struct buf *out, int64_t n)
{
    if (n)
        buf_addf(out, "step %lld", (long long)n);
    else
        buf_puts(out, "the session");
}

static void md_first(struct buf *out, int64_t n)
{
    if (n)
        buf_addf(out, "step %lld", (long long)n);
    else
        buf_puts(out, "never");
}

static void md_begin(struct report *r, struct buf *out)
{
    buf_puts(out, "# ");
    md_data(out, span_of(r->name));
    buf_addf(out, "\n\n%zu recorded session%s of an AI agent, judged under the policy ",
             r->session_count, r->session_count == 1 ? "" : "s");
    md_data(out, span_of(policy_name(r->policy)));
    buf_addf(out, ".\n\n- **%lld calls denied by policy**, %lld to ask about\n- findings: ",
             (long long)r->denied, (long long)r->asked);
    report_counts(out, r->findings);
    buf_addf(out, "\n- %s\n- %s\n",
             r->sources_whole ? "✔ every byte of every source is accounted for"
                              : "✘ not every byte of the sources could be read: see Sources",
             r->sources_same && r->sources_redacted
                 ? "✔ the bytes held are those of the redacted copy: see Sources"
             : r->sources_same ? "✔ the bytes held are those that were imported"
                               : "✘ bytes held are not those that were imported");
    buf_addf(out, "- evidence: %lld of %lld references re-derive, %lld fail\n",
             (long long)r->evidence_ok, (long long)r->evidence_refs, (long long)r->evidence_failed);
    buf_puts(out, "- that a record ends is no proof that nothing followed\n\n## Sessions\n\n"
                  "| # | session | began | steps | untrusted from | private from | denied | worst "
                  "finding |\n|--:|---|---|--:|---|---|--:|---|\n");
    for (size_t i = 0; i < r->session_count; i++) {
        const struct session_view *s = &r->sessions[i];
        buf_addf(out, "| %lld | ", (long long)s->id);
        md_data(out, s->name);
        buf_puts(out, " | ");
        report_time(out, s->begin_ns, s->time_digits < 0 ? -1 : 0);
        buf_addf(out, " | %lld | ", (long long)s->steps);
        md_first(out, s->first_untrusted);
        buf_puts(out, " | ");
        md_first(out, s->first_private);
        buf_addf(out, " | %lld | %s |\n", (long long)s->denied,
                 s->worst < 0 ? "none" : severity_word((enum severity)s->worst));
    }
}

/* ---- a session ---- */

static void md_findings(const struct report_session *s, struct buf *out)
{
    buf_puts(out, "\n### Findings\n\n");
    if (!s->finding_count)
        buf_puts(out, "None under this policy. What the record does not hold can't be judged.\n");
    for (size_t i = 0; i < s->finding_count; i++) {
        const struct report_finding *f = &s->findings[i];
        buf_addf(out, "- **%s** ", severity_word(f->view.severity));
        md_code(out, f->view.code);
        buf_puts(out, ", ");
        md_step(out, f->view.n);
        buf_puts(out, ": ");
        md_data(out, f->message);
        if (f->view.suppressed.at) {
            buf_puts(out, " (accepted by the policy: ");
            md_data(out, f->view.suppressed);
            buf_puts(out, ")");
        }
        buf_puts(out, "\n");
        for (size_t k = 0; k < f->place_count; k++) {
            const struct report_excerpt *p = &f->places[k];
            if (!p->text.len)
                continue;
            buf_puts(out, "  - ");
            md_step(out, p->n);
            buf_puts(out, ": “");
            md_data(out, p->before);
            buf_puts(out, "**⟦**");
            md_data(out, p->text);
            buf_puts(out, "**⟧**");
            md_data(out, p->after);
            buf_puts(out, "”\n");
        }
    }
    if (s->findings_left_out)
        buf_addf(out, "- and %zu more findings, not shown here\n", s->findings_left_out);
}

static void md_causes(const struct report_session *s, struct buf *out)
{
    for (int a = 0; a < 2; a++) {
        const struct why *why = &s->cause[a].why;
        if (!why->cause_count)
            continue;
        buf_addf(out,
                 "\n### Why the context is %s at step %lld\n\nThe most likely origin first.\n\n",
                 s->cause[a].axis, (long long)s->cause[a].n);
        for (size_t i = 0; i < why->cause_count && i < REPORT_CAUSES; i++) {
            buf_puts(out, "1. ");
            md_step(out, why->causes[i].n);
            for (size_t k = 0; k < why->causes[i].reason_count; k++) {
                buf_puts(out, k ? "; " : ": ");
                md_data(out, why->causes[i].reasons[k]);
            }
            buf_puts(out, "\n");
        }
        if (why->cause_count > REPORT_CAUSES)
            buf_addf(out, "\nAnd %zu more.\n", why->cause_count - REPORT_CAUSES);
        if (why->capped)
            buf_puts(out, "\nNot all earlier content was looked at: others may be likelier.\n");
    }
}

static void md_egress(const struct report_session *s, struct buf *out)
{
    buf_puts(out, "\n### What left, and to whom\n\n");
    if (!s->egress_count)
        buf_puts(out, "Nothing that the record shows.\n");
    for (size_t i = 0; i < s->egress_count; i++) {
        const struct report_egress *e = &s->egress[i];
        struct buf who = {0};
        report_who(&who, &e->row);
        buf_puts(out, "- ");
        md_step(out, e->row.step.n);
        buf_puts(out, ", ");
        md_data(out, buf_span(&who));
        buf_puts(out, ", to ");
        md_data(out, e->row.audience.len ? e->row.audience : SPAN("not known"));
        buf_addf(out, "%s: %s%s%s — ", e->row.audience_assumed ? " (assumed)" : "",
                 e->row.verdict ? verdict_word(e->row.verdict) : "no verdict",
                 e->row.step.outcome != OUTCOME_NONE ? ", " : "",
                 e->row.step.outcome != OUTCOME_NONE ? outcome_word(e->row.step.outcome) : "");
        md_data(out, e->text);
        buf_puts(out, "\n");
        for (size_t k = 0; k < e->pieces; k++) {
            buf_puts(out, "  - ");
            md_data(out, e->piece[k].pointer);
            buf_puts(out, ": “");
            md_data(out, e->piece[k].text);
            buf_addf(out, "”, from the %s at step %lld (%s)\n", e->piece[k].source,
                     (long long)e->piece[k].n, e->piece[k].how);
        }
        if (e->more)
            buf_addf(out, "  - and %zu more passages of earlier text\n", e->more);
        if (!e->looked || e->capped)
            buf_puts(out, "  - not all earlier text was looked at: there may be more\n");
        buf_finish(&who);
    }
    if (s->egress_left_out)
        buf_addf(out, "- and %zu more calls, not shown here\n", s->egress_left_out);
}

static void md_evidence(const struct report_session *s, struct buf *out)
{
    if (!s->evidence_count)
        return;
    buf_puts(out, "\n### Evidence\n\n| step | type | verdict | digest |\n|--:|---|---|---|\n");
    for (size_t i = 0; i < s->evidence_count; i++) {
        const struct evidence_view *e = &s->evidence[i];
        buf_addf(out, "| %lld | ", (long long)e->n);
        md_data(out, e->type.at ? e->type : SPAN("absent"));
        buf_puts(out, " | ");
        md_data(out, e->verdict.len ? e->verdict : SPAN("not verified"));
        if (e->reason.len) {
            buf_puts(out, ": ");
            md_data(out, report_reason(e));
        }
        buf_puts(out, " | ");
        md_code(out, e->digest.at ? e->digest : SPAN("absent"));
        buf_puts(out, " |\n");
    }
}

static void md_tools(const struct report_session *s, struct buf *out)
{
    if (s->tool_count)
        buf_puts(out, "\n### Definitions that changed\n\n");
    for (size_t i = 0; i < s->tool_count; i++) {
        const struct tool_view *t = &s->tools[i];
        buf_puts(out, "- ");
        md_data(out, t->server);
        buf_puts(out, " ");
        md_data(out, t->tool);
        for (size_t k = 0; k < t->version_count; k++) {
            buf_addf(out, "%s step %lld ", k ? ", then at" : ": at", (long long)t->versions[k].n);
            md_code(out, t->versions[k].digest.at ? t->versions[k].digest : SPAN("no digest"));
        }
        buf_puts(out, "\n");
    }
}

static void md_notes(const struct report_session *s, struct buf *out)
{
    if (s->note_count)
        buf_puts(out, "\n### The reviewer's notes and marks\n\n");
    for (size_t i = 0; i < s->note_count; i++) {
        buf_puts(out, "- ");
        md_step(out, s->notes[i].n);
        if (s->notes[i].mark) {
            buf_addf(out, ": mark %c", s->notes[i].mark);
        } else {
            buf_puts(out, ": ");
            md_data(out, s->notes[i].text);
        }
        buf_puts(out, "\n");
    }
}

static void md_timeline(const struct report_session *s, struct buf *out)
{
    struct buf text = {0};
    buf_puts(out, "\n### Timeline\n\nI: integrity, C: confidentiality of the context; ▲ where it "
                  "rises, ┃ where it is high.\n\n| I | C | # | what | label | verdict |\n"
                  "|---|---|--:|---|---|---|\n");
    for (size_t i = 0; i < s->step_count; i++) {
        const struct report_step *step = &s->steps[i];
        const struct flow_row *row = &step->row;
        if (step->left_out)
            buf_addf(out, "| | | | %lld steps not shown here | | |\n", (long long)step->left_out);
        buf_addf(out, "| %s | %s | %lld | ",
                 row->changed & 1                    ? "▲"
                 : row->after.integrity == UNTRUSTED ? "┃"
                                                     : "│",
                 row->changed & 2               ? "▲"
                 : label_is_private(row->after) ? "┃"
                                                : "│",
                 (long long)row->step.n);
        buf_clear(&text);
        report_who(&text, row);
        md_data(out, buf_span(&text));
        buf_puts(out, ": ");
        md_data(out, step->text);
        if (step->sentence.len) {
            buf_puts(out, " **");
            md_data(out, step->sentence);
            buf_puts(out, "**");
        }
        buf_puts(out, " | ");
        buf_clear(&text);
        report_label(&text, s->review, row);
        md_escape(out, buf_span(&text)); /* its parts from data are safe already */
        buf_addf(out, " | %s |\n", row->verdict ? verdict_word(row->verdict) : "");
    }
    buf_finish(&text);
}

static void md_session(struct report *r, const struct report_session *s, struct buf *out)
{
    (void)r;
    buf_puts(out, "\n## Session ");
    md_data(out, s->view.name);
    buf_puts(out, "\n\nServers: ");
    md_data(out, s->view.servers.len ? s->view.servers : SPAN("none recorded"));
    buf_puts(out, ". Host: ");
    md_data(out, s->view.host.len ? s->view.host : SPAN("not recorded"));
    buf_addf(out, ". %lld steps. The context is untrusted from: ", (long long)s->summary.steps);
    md_first(out, s->summary.first_untrusted);
    buf_puts(out, "; private from: ");
    md_first(out, s->summary.first_private);
    buf_addf(out, ". %lld results came without any claim.\n", (long long)s->summary.unclaimed);
    md_findings(s, out);
    md_causes(s, out);
    md_egress(s, out);
    md_evidence(s, out);
    md_tools(s, out);
    md_notes(s, out);
    md_timeline(s, out);
}

static void md_end(struct report *r, struct buf *out)
{
    buf_puts(out, "\n## What this record does not show\n\n");
    for (size_t i = 0; i < r->limits.count; i++)
        buf_addf(out, "- %s\n", r->limits.lines[i]);
    buf_puts(out, "\n## Sources\n\n| file | format | bytes | sha256 | bytes held |\n"
                  "|---|---|--:|---|---|\n");
    for (size_t i = 0; i < r->source_count; i++) {
        const struct source_view *v = &r->sources[i].view;
        buf_puts(out, "| ");
        md_data(out, v->path);
        buf_puts(out, " | ");
        md_data(out, v->format.at ? v->format : v->role);
        buf_addf(out, " | %lld | ", (long long)v->bytes);
        md_code(out, v->sha256.at ? v->sha256 : SPAN("not known"));
        buf_addf(out, " | %s%s%s |\n", report_state_text(r->sources[i].state),
                 v->complete ? "" : ", not read to its end",
                 v->diagnostic_count ? ", with places that could not be read" : "");
    }
    buf_puts(out, "\nWritten by strandline " STRANDLINE_VERSION ". Policy ");
    md_data(out, span_of(policy_name(r->policy)));
    buf_puts(out, " ");
    md_code(out, span_of(policy_digest(r->policy)));
    buf_puts(out, ", catalogue of tools ");
    const char *catalogue = policy_catalogue_digest(r->policy);
    md_code(out, span_of(*catalogue ? catalogue : "none"));
    buf_puts(out, ". Credentials are masked; hidden and control characters are shown as marks.\n");
}

const struct report_format report_markdown = {
    .name = "md",
    .endings = ".md .markdown",
    .begin = md_begin,
    .session = md_session,
    .end = md_end,
};
