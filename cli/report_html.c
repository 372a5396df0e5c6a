/*
 * The report as one HTML file: no script, nothing loaded, a policy that forbids
 * both, light and dark, and fit to be printed. The lanes, badges and verdicts
 * are words and glyphs first; colour comes on top.
 */
#include "base/text.h"
#include "cli/report.h"

static const char html_style[] =
    ":root{color-scheme:light dark;--fg:#1d2129;--bg:#fff;--dim:#5b6472;--line:#d9dde3;--soft:#f4f6f8;"
    "--bad:#b3261e;--badbg:#fbe9e7;--warn:#8a5a00;--good:#1b6e3c;--un:#b45309;--pr:#1d4ed8;--mark:#ffe58a}"
    "@media(prefers-color-scheme:dark){:root{--fg:#d8dce3;--bg:#14161a;--dim:#98a1af;--line:#31363f;"
    "--soft:#1c2027;--bad:#ff8a80;--badbg:#3a1d1b;--warn:#f2c14e;--good:#7ccf98;--un:#f0a35e;--pr:#8ab4ff;"
    "--mark:#6b5600}}"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:78rem;padding:2rem 1.2rem;color:var(--fg);"
    "background:var(--bg);font:15px/1.5 system-ui,sans-serif}"
    "h1{font-size:1.6rem;margin:0 0 .2rem}h2{font-size:1.25rem;margin:2.4rem 0 .6rem;border-bottom:1px solid "
    "var(--line);padding-bottom:.2rem}h3{font-size:1rem;margin:1.6rem 0 .5rem}"
    "p{margin:.4rem 0}a{color:inherit}code,pre,.t{font-family:ui-monospace,monospace;font-size:.87em;"
    "overflow-wrap:anywhere}.dim{color:var(--dim)}.bad{color:var(--bad)}.warn{color:var(--warn)}"
    ".good{color:var(--good)}.un{color:var(--un)}.pr{color:var(--pr)}"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0}th,td{text-align:left;vertical-align:top;"
    "padding:.22rem .6rem .22rem 0;border-bottom:1px solid var(--line)}th{color:var(--dim);font-weight:500}"
    ".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
    ".glance{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1.1rem;"
    "margin:1rem 0}.glance p{margin:.25rem 0}"
    "td.lane{width:1.1rem;padding:0;text-align:center;font-family:ui-monospace,monospace;white-space:pre}"
    "td.u{border-left:5px solid var(--un)}td.p{border-left:5px solid var(--pr)}td.o{border-left:5px solid "
    "var(--line)}tr.deny{background:var(--badbg)}tr:target{outline:2px solid var(--un)}"
    ".f{border-left:4px solid var(--line);padding:.1rem 0 .1rem .8rem;margin:.8rem 0;break-inside:avoid}"
    ".f.critical,.f.high{border-color:var(--bad)}.f.medium{border-color:var(--warn)}"
    ".id{float:right}td{overflow-wrap:anywhere}td.w{min-width:8rem}td.v{min-width:5.5rem}blockquote{margin:.25rem 0 .25rem .8rem;color:var(--dim)}"
    "mark{background:var(--mark);color:inherit;padding:0 .1em}ul{margin:.3rem 0;padding-left:1.3rem}"
    "footer{margin-top:3rem;color:var(--dim);font-size:.87em}"
    "@media print{body{max-width:none;padding:0;font-size:11px}h2{break-after:avoid}tr{break-inside:avoid}}";

/* ---- the one place where text becomes HTML ---- */

static void html_escape(struct buf *out, struct span safe)
{
    for (size_t i = 0; i < safe.len; i++) {
        switch (safe.at[i]) {
        case '&':
            buf_puts(out, "&amp;");
            break;
        case '<':
            buf_puts(out, "&lt;");
            break;
        case '>':
            buf_puts(out, "&gt;");
            break;
        case '"':
            buf_puts(out, "&quot;");
            break;
        case '\'':
            buf_puts(out, "&#39;");
            break;
        default:
            buf_byte(out, safe.at[i]);
        }
    }
}

static void html_data(struct buf *out, struct span data)
{
    struct buf safe = {0};
    text_safe(&safe, data);
    html_escape(out, buf_span(&safe));
    buf_finish(&safe);
}

static void html_ours(struct buf *out, const char *text)
{
    html_escape(out, span_of(text));
}

/* ---- pieces ---- */

/* A step of a session, as a link where the timeline has it. */
static void html_step(struct buf *out, const struct report_session *s, int64_t n)
{
    buf_addf(out, "<a href=\"#s%lld-%lld\">step %lld</a>", (long long)s->view.id, (long long)n,
             (long long)n);
}

static void html_row(struct buf *out, const char *caption)
{
    buf_puts(out, "<tr><th>");
    html_ours(out, caption);
    buf_puts(out, "</th><td>");
}

static const char *html_verdict_class(enum verdict verdict)
{
    return verdict == VERDICT_DENY ? "bad" : verdict == VERDICT_ASK ? "warn" : "good";
}

static void html_verdict(struct buf *out, const struct flow_row *row)
{
    static const char *const glyphs[] = {"", "", "? ", "✘ "};
    if (!row->verdict)
        return;
    buf_addf(out, "<span class=\"%s\">%s%s</span>", html_verdict_class(row->verdict),
             glyphs[row->verdict], verdict_word(row->verdict));
    if (row->step.outcome != OUTCOME_NONE)
        buf_addf(out, "<br><span class=\"dim\">%s</span>", outcome_word(row->step.outcome));
}

static void html_glance(const struct report *r, struct buf *out)
{
    buf_puts(out, "<div class=\"glance\">");
    buf_addf(out,
             "<p><b class=\"%s\">%lld calls denied by policy</b>, %lld to ask about. Findings: ",
             r->denied ? "bad" : "good", (long long)r->denied, (long long)r->asked);
    report_counts(out, r->findings);
    buf_addf(out, ".</p><p class=\"%s\">%s</p>", r->sources_whole ? "good" : "bad",
             r->sources_whole ? "✔ Every byte of every source is accounted for."
                              : "✘ Not every byte of the sources could be read: see Sources.");
    buf_addf(out, "<p class=\"%s\">%s</p>", r->sources_same ? "good" : "bad",
             r->sources_same && r->sources_redacted
                 ? "✔ The bytes held are those of the redacted copy: see Sources."
             : r->sources_same ? "✔ The bytes held are those that were imported: each digest was "
                                 "computed again."
                               : "✘ Bytes held are not those that were imported.");
    if (r->evidence_refs)
        buf_addf(
            out, "<p class=\"%s\">%s Evidence: %lld of %lld references re-derive, %lld fail.</p>",
            r->evidence_failed                   ? "bad"
            : r->evidence_ok == r->evidence_refs ? "good"
                                                 : "warn",
            r->evidence_failed                   ? "✘"
            : r->evidence_ok == r->evidence_refs ? "✔"
                                                 : "?",
            (long long)r->evidence_ok, (long long)r->evidence_refs, (long long)r->evidence_failed);
    else
        buf_puts(out, "<p class=\"dim\">No label in it names evidence.</p>");
    buf_puts(out,
             "<p class=\"dim\">That a record ends is no proof that nothing followed.</p></div>");
}

static void html_sessions(const struct report *r, struct buf *out)
{
    buf_puts(out, "<h2>Sessions</h2><table><tr><th class=\"n\">#</th><th>session</th><th>began</th>"
                  "<th class=\"n\">steps</th><th>untrusted from</th><th>private from</th>"
                  "<th class=\"n\">denied</th><th>worst finding</th><th>servers</th></tr>");
    for (size_t i = 0; i < r->session_count; i++) {
        const struct session_view *s = &r->sessions[i];
        buf_addf(out, "<tr><td class=\"n\">%lld</td><td><a href=\"#s%lld\">", (long long)s->id,
                 (long long)s->id);
        html_data(out, s->name);
        buf_puts(out, "</a></td><td>");
        report_time(out, s->begin_ns, s->time_digits < 0 ? -1 : 0);
        buf_addf(out, "</td><td class=\"n\">%lld</td>", (long long)s->steps);
        const int64_t firsts[] = {s->first_untrusted, s->first_private};
        for (int k = 0; k < 2; k++)
            if (firsts[k])
                buf_addf(out, "<td class=\"%s\">step %lld</td>", k ? "pr" : "un",
                         (long long)firsts[k]);
            else
                buf_puts(out, "<td class=\"dim\">never</td>");
        buf_addf(out, "<td class=\"n%s\">%lld</td><td>%s</td><td>", s->denied ? " bad" : "",
                 (long long)s->denied,
                 s->worst < 0 ? "none" : severity_word((enum severity)s->worst));
        html_data(out, s->servers);
        buf_puts(out, "</td></tr>");
    }
    buf_puts(out, "</table>");
}

static void html_begin(struct report *r, struct buf *out)
{
    buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">"
                  "<meta name=\"referrer\" content=\"no-referrer\">\n<title>strandline: ");
    html_data(out, span_of(r->name));
    buf_addf(out, "</title>\n<style>%s</style></head><body>\n<h1>", html_style);
    html_data(out, span_of(r->name));
    buf_addf(out,
             "</h1><p class=\"dim\">%zu recorded session%s of an AI agent, judged under the "
             "policy <b>",
             r->session_count, r->session_count == 1 ? "" : "s");
    html_data(out, span_of(policy_name(r->policy)));
    buf_puts(out,
             "</b>. A label says what a server claimed, or what the policy assumes, of the data "
             "that came in; the context keeps the worst of them; a call is judged by the "
             "context it was made from.</p>\n");
    html_glance(r, out);
    html_sessions(r, out);
}

/* ---- a session ---- */

static void html_causes(const struct report_session *s, struct buf *out)
{
    for (int a = 0; a < 2; a++) {
        const struct why *why = &s->cause[a].why;
        if (!why->cause_count)
            continue;
        buf_addf(out, "<h3>Why the context is %s at ", s->cause[a].axis);
        html_step(out, s, s->cause[a].n);
        buf_puts(out, "</h3><p class=\"dim\">The most likely origin first.</p><ul>");
        for (size_t i = 0; i < why->cause_count && i < REPORT_CAUSES; i++) {
            buf_puts(out, "<li>");
            html_step(out, s, why->causes[i].n);
            for (size_t k = 0; k < why->causes[i].reason_count; k++) {
                buf_puts(out, k ? "; " : ": ");
                html_data(out, why->causes[i].reasons[k]);
            }
            buf_puts(out, "</li>");
        }
        buf_puts(out, "</ul>");
        if (why->cause_count > REPORT_CAUSES)
            buf_addf(out, "<p class=\"dim\">and %zu more</p>", why->cause_count - REPORT_CAUSES);
        if (why->capped)
            buf_puts(out, "<p class=\"warn\">Not all earlier content was looked at: others may be "
                          "likelier.</p>");
    }
}

/* Places whose pointer says it all stand in one line; those with a text have one each. */
static void html_places(const struct report_session *s, struct buf *out,
                        const struct report_finding *f)
{
    size_t listed = 0;
    for (size_t i = 0; i < f->place_count; i++) {
        const struct report_excerpt *place = &f->places[i];
        if (place->text.len || (place->n == f->view.n && !place->pointer.len))
            continue;
        buf_puts(out, listed++ ? ", " : "<p class=\"dim\">rests on ");
        if (place->n)
            html_step(out, s, place->n);
        else
            buf_puts(out, "the session");
        if (place->pointer.len) {
            buf_puts(out, " at <code>");
            html_data(out, place->pointer);
            buf_puts(out, "</code>");
        }
    }
    buf_puts(out, listed ? "</p>" : "");
    for (size_t i = 0; i < f->place_count; i++) {
        const struct report_excerpt *place = &f->places[i];
        if (!place->text.len)
            continue;
        buf_puts(out, "<blockquote>");
        html_step(out, s, place->n);
        buf_puts(out, " <span class=\"t\">");
        html_data(out, place->before);
        buf_puts(out, "<mark>");
        html_data(out, place->text);
        buf_puts(out, "</mark>");
        html_data(out, place->after);
        buf_puts(out, "</span></blockquote>");
    }
}

static void html_left_out(struct buf *out, size_t count, const char *what)
{
    if (count)
        buf_addf(out, "<p class=\"dim\">and %zu more %s, not shown here</p>", count, what);
}

static void html_findings(const struct report_session *s, struct buf *out)
{
    buf_puts(out, "<h3>Findings</h3>");
    if (!s->finding_count)
        buf_puts(out,
                 "<p>None under this policy. What the record does not hold can't be judged.</p>");
    for (size_t i = 0; i < s->finding_count; i++) {
        const struct report_finding *f = &s->findings[i];
        const char *severity = severity_word(f->view.severity);
        const struct finding_code *code = finding_code_find(f->view.code);
        buf_addf(out, "<div class=\"f %s\"><p><b>%s</b> ", severity, severity);
        html_data(out, f->view.code);
        if (f->view.n) {
            buf_puts(out, " · ");
            html_step(out, s, f->view.n);
        }
        if (code) {
            buf_puts(out, " · <span class=\"dim\">");
            html_ours(out, code->title);
            buf_puts(out, "</span>");
        }
        buf_puts(out, " <code class=\"id dim\">");
        html_data(out, f->view.id);
        buf_puts(out, "</code></p><p>");
        html_data(out, f->message);
        buf_puts(out, "</p>");
        if (f->view.suppressed.at) {
            buf_puts(out, "<p class=\"dim\">Accepted by the policy: ");
            html_data(out, f->view.suppressed);
            buf_puts(out, "</p>");
        }
        html_places(s, out, f);
        buf_puts(out, "</div>");
    }
    html_left_out(out, s->findings_left_out, "findings");
}

static void html_egress(const struct report_session *s, struct buf *out)
{
    buf_puts(out, "<h3>What left, and to whom</h3>");
    if (!s->egress_count)
        buf_puts(out, "<p>Nothing that the record shows.</p>");
    for (size_t i = 0; i < s->egress_count; i++) {
        const struct report_egress *e = &s->egress[i];
        struct buf who = {0};
        buf_addf(out, "<div class=\"f %s\"><p>", e->row.verdict == VERDICT_DENY ? "high" : "");
        html_step(out, s, e->row.step.n);
        buf_puts(out, " · ");
        report_who(&who, &e->row);
        html_data(out, buf_span(&who));
        buf_puts(out, " · to <b>");
        html_data(out, e->row.audience.len ? e->row.audience : SPAN("not known"));
        buf_puts(out, e->row.audience_assumed ? "</b> (assumed) " : "</b> ");
        html_verdict(out, &e->row);
        buf_puts(out, "</p><p class=\"t\">");
        html_data(out, e->text);
        buf_puts(out, "</p>");
        for (size_t k = 0; k < e->pieces; k++) {
            buf_puts(out, "<blockquote><mark class=\"t\">");
            html_data(out, e->piece[k].text);
            buf_puts(out, "</mark> in <code>");
            html_data(out, e->piece[k].pointer);
            buf_addf(out, "</code>, from the %s at ", e->piece[k].source);
            html_step(out, s, e->piece[k].n);
            buf_addf(out, " (%s)</blockquote>", e->piece[k].how);
        }
        if (e->more)
            buf_addf(out, "<p class=\"dim\">and %zu more passages of earlier text</p>", e->more);
        if (!e->looked)
            buf_puts(out,
                     "<p class=\"dim\">Where its text came from was not looked into here.</p>");
        else if (e->capped)
            buf_puts(out,
                     "<p class=\"warn\">Some earlier text could not be looked at: there may be "
                     "more.</p>");
        buf_puts(out, "</div>");
        buf_finish(&who);
    }
    html_left_out(out, s->egress_left_out, "calls");
}

static void html_evidence(const struct report_session *s, struct buf *out)
{
    if (!s->evidence_count)
        return;
    buf_puts(out, "<h3>Evidence</h3><table><tr><th>step</th><th>type</th><th>verdict</th>"
                  "<th>digest</th><th>record</th></tr>");
    for (size_t i = 0; i < s->evidence_count; i++) {
        const struct evidence_view *e = &s->evidence[i];
        buf_puts(out, "<tr><td class=\"n\">");
        html_step(out, s, e->n);
        buf_puts(out, "</td><td class=\"w\">");
        html_data(out, e->type.at ? e->type : SPAN("absent"));
        bool good = span_is(e->verdict, "recomputed");
        bool open = !e->verdict.len || span_starts_with(e->verdict, SPAN("unres")) ||
                    span_starts_with(e->verdict, SPAN("unsupported"));
        buf_addf(out, "</td><td class=\"%s\">%s ",
                 good   ? "good"
                 : open ? "warn"
                        : "bad",
                 good   ? "✔"
                 : open ? "?"
                        : "✘");
        html_data(out, e->verdict.len ? e->verdict : SPAN("not verified"));
        if (e->reason.len) {
            buf_puts(out, "<br><span class=\"dim\">");
            html_data(out, report_reason(e));
            buf_puts(out, "</span>");
        }
        buf_puts(out, "</td><td><code>");
        html_data(out, e->digest.at ? e->digest : SPAN("absent"));
        buf_puts(out, "</code></td><td>");
        html_data(out, e->record.at ? e->record : SPAN("none held"));
        buf_puts(out, "</td></tr>");
    }
    buf_puts(out, "</table>");
}

static void html_tools(const struct report_session *s, struct buf *out)
{
    if (!s->tool_count)
        return;
    buf_puts(out, "<h3>Definitions that changed</h3><ul>");
    for (size_t i = 0; i < s->tool_count; i++) {
        const struct tool_view *t = &s->tools[i];
        buf_puts(out, "<li>");
        html_data(out, t->server);
        buf_puts(out, ".");
        html_data(out, t->tool);
        for (size_t k = 0; k < t->version_count; k++) {
            buf_puts(out, k ? ", then at " : ": at ");
            html_step(out, s, t->versions[k].n);
            buf_puts(out, " <code>");
            html_data(out, t->versions[k].digest.at ? t->versions[k].digest : SPAN("no digest"));
            buf_puts(out, "</code>");
        }
        buf_puts(out, "</li>");
    }
    buf_puts(out, "</ul>");
}

static void html_notes(const struct report_session *s, struct buf *out)
{
    if (!s->note_count)
        return;
    buf_puts(out, "<h3>The reviewer's notes and marks</h3><ul>");
    for (size_t i = 0; i < s->note_count; i++) {
        const struct note_view *n = &s->notes[i];
        buf_puts(out, "<li>");
        if (n->n)
            html_step(out, s, n->n);
        else
            buf_puts(out, "the session");
        if (n->mark)
            buf_addf(out, ": mark %c", n->mark);
        else {
            buf_puts(out, ": ");
            html_data(out, n->text);
        }
        buf_puts(out, "</li>");
    }
    buf_puts(out, "</ul>");
}

/* Low or high, and where it rises: a glyph, and a bar beside it. */
static void html_lane(struct buf *out, bool high, bool rose, char which)
{
    buf_addf(out, "<td class=\"lane %c\" title=\"%s\">%s</td>", high ? which : 'o',
             which == 'u' ? (high ? "untrusted" : "trusted") : (high ? "private" : "public"),
             rose   ? "▲"
             : high ? "┃"
                    : "│");
}

static void html_timeline_row(const struct report_session *s, struct buf *out,
                              const struct report_step *step)
{
    const struct flow_row *row = &step->row;
    struct buf text = {0};
    if (step->left_out)
        buf_addf(out, "<tr><td colspan=\"7\" class=\"dim\">%lld steps not shown here</td></tr>",
                 (long long)step->left_out);
    buf_addf(out, "<tr id=\"s%lld-%lld\"%s>", (long long)s->view.id, (long long)row->step.n,
             row->verdict == VERDICT_DENY ? " class=\"deny\"" : "");
    html_lane(out, row->after.integrity == UNTRUSTED, row->changed & 1, 'u');
    html_lane(out, label_is_private(row->after), row->changed & 2, 'p');
    buf_addf(out, "<td class=\"n\">%lld</td><td class=\"n dim\">", (long long)row->step.n);
    if (row->step.time_digits >= 0)
        report_time(&text, row->step.time_ns, row->step.time_digits);
    buf_add(out, text.len > 11 ? span_sub(buf_span(&text), 11, 12) : SPAN("–"));
    buf_puts(out, "</td><td>");
    buf_clear(&text);
    report_who(&text, row);
    html_data(out, buf_span(&text));
    buf_puts(out, "<br><span class=\"t dim\">");
    html_data(out, step->text);
    buf_puts(out, "</span>");
    if (step->sentence.len) {
        buf_puts(out, "<br><b>");
        html_data(out, step->sentence);
        buf_puts(out, "</b>");
    }
    buf_puts(out, "</td><td>");
    buf_clear(&text);
    report_label(&text, s->review, row);
    html_escape(out, buf_span(&text)); /* its parts from data are safe already */
    buf_puts(out, "</td><td class=\"v\">");
    html_verdict(out, row);
    buf_puts(out, "</td></tr>\n");
    buf_finish(&text);
}

static void html_session(struct report *r, const struct report_session *s, struct buf *out)
{
    const struct review_summary *sum = &s->summary;
    (void)r;
    buf_addf(out, "\n<h2 id=\"s%lld\">", (long long)s->view.id);
    html_data(out, s->view.name);
    buf_puts(out, "</h2><table>");
    html_row(out, "servers");
    html_data(out, s->view.servers.len ? s->view.servers : SPAN("none recorded"));
    buf_puts(out, "</td></tr>");
    html_row(out, "host");
    html_data(out, s->view.host.len ? s->view.host : SPAN("not recorded"));
    buf_puts(out, "</td></tr>");
    html_row(out, "steps");
    buf_addf(out, "%lld, from ", (long long)sum->steps);
    report_time(out, s->view.begin_ns, s->view.time_digits);
    buf_puts(out, " to ");
    report_time(out, s->view.end_ns, s->view.time_digits);
    buf_puts(out, "</td></tr>");
    html_row(out, "context");
    const int64_t firsts[] = {sum->first_untrusted, sum->first_private};
    for (int k = 0; k < 2; k++) {
        buf_addf(out, "%s<span class=\"%s\">%s</span> ", k ? ", " : "", k ? "pr" : "un",
                 k ? "private" : "untrusted");
        if (firsts[k]) {
            buf_puts(out, "from ");
            html_step(out, s, firsts[k]);
        } else {
            buf_puts(out, "never");
        }
    }
    buf_addf(out, "; %lld results without any claim</td></tr>", (long long)sum->unclaimed);
    html_row(out, "calls");
    buf_addf(out,
             "<span class=\"%s\">%lld denied by policy</span>, %lld to ask about</td></tr></table>",
             sum->denied ? "bad" : "good", (long long)sum->denied, (long long)sum->asked);
    html_findings(s, out);
    html_causes(s, out);
    html_egress(s, out);
    html_evidence(s, out);
    html_tools(s, out);
    html_notes(s, out);
    buf_puts(out,
             "<h3>Timeline</h3><table><tr><th title=\"integrity\">I</th>"
             "<th title=\"confidentiality\">C</th><th class=\"n\">#</th><th class=\"n\">time (UTC)"
             "</th><th>what</th><th>label of what came in</th><th>verdict</th></tr>\n");
    for (size_t i = 0; i < s->step_count; i++)
        html_timeline_row(s, out, &s->steps[i]);
    buf_puts(out, "</table>");
    if (s->step_count && s->steps[s->step_count - 1].row.step.n < sum->steps)
        buf_puts(out,
                 "<p class=\"dim\">The rest is not shown here: only steps that matter are, in a "
                 "long session.</p>");
}

/* ---- the end ---- */

static void html_source(const struct report_source *source, struct buf *out)
{
    const struct source_view *v = &source->view;
    buf_puts(out, "<tr><td>");
    html_data(out, v->path);
    buf_puts(out, "<br><code class=\"dim\">sha256 ");
    html_data(out, v->sha256.at ? v->sha256 : SPAN("not known"));
    buf_puts(out, "</code></td><td>");
    html_data(out, v->format.at ? v->format : v->role);
    buf_addf(out, "</td><td class=\"n\">%lld</td><td>", (long long)v->bytes);
    if (v->format.at)
        buf_addf(out, "%lld events, %lld noise, %lld unreadable, %lld blank", (long long)v->event,
                 (long long)v->noise, (long long)v->diagnostic, (long long)v->blank);
    if (!v->complete)
        buf_puts(out, " <b class=\"bad\">reading it was interrupted</b>");
    for (size_t i = 0; i < source->diagnostic_count; i++) {
        buf_addf(out,
                 "<br><span class=\"bad\">line %lld: ", (long long)source->diagnostics[i].line);
        html_data(out, source->diagnostics[i].what);
        buf_puts(out, "</span>");
    }
    buf_addf(out, "</td><td class=\"%s\">%s</td></tr>",
             source->state == SOURCE_CHANGED ? "bad" : "good", report_state_text(source->state));
}

static void html_end(struct report *r, struct buf *out)
{
    buf_puts(out, "\n<h2>What this record does not show</h2><ul>");
    for (size_t i = 0; i < r->limits.count; i++) {
        buf_puts(out, "<li>");
        html_ours(out, r->limits.lines[i]);
        buf_puts(out, "</li>");
    }
    buf_puts(out, "</ul><h2>Sources</h2><table><tr><th>file</th><th>format</th>"
                  "<th class=\"n\">bytes</th><th>account</th><th>bytes held</th></tr>");
    for (size_t i = 0; i < r->source_count; i++)
        html_source(&r->sources[i], out);
    buf_puts(out, "</table><footer><p>Written by strandline " STRANDLINE_VERSION ". Policy ");
    html_data(out, span_of(policy_name(r->policy)));
    buf_puts(out, " <code>");
    html_ours(out, policy_digest(r->policy));
    buf_puts(out, "</code>, catalogue of tools <code>");
    const char *catalogue = policy_catalogue_digest(r->policy);
    html_ours(out, *catalogue ? catalogue : "none");
    buf_puts(out,
             "</code>. Each number here can be derived again from the sources with this policy; "
             "<code>strandline verify CASE</code> checks sources and evidence. Credentials "
             "are masked; hidden and control characters are shown as marks.</p></footer>"
             "</body></html>\n");
}

const struct report_format report_html = {
    .name = "html",
    .endings = ".html .htm",
    .begin = html_begin,
    .session = html_session,
    .end = html_end,
};
