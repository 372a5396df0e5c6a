#include <stdio.h>

#include "base/timefmt.h"
#include "tui/core.h"

enum style style_of_severity(int severity)
{
    static const enum style styles[] = {STYLE_INFO, STYLE_LOW, STYLE_MEDIUM, STYLE_HIGH,
                                        STYLE_CRITICAL};
    return severity < 0 || severity > SEVERITY_CRITICAL ? STYLE_DIM : styles[severity];
}

const char *glyph_of_severity(int severity)
{
    static const char *const glyphs[] = {"·", "◇", "◆", "▲", "‼"};
    return severity < 0 || severity > SEVERITY_CRITICAL ? " " : glyphs[severity];
}

/* Only what was re-derived is green; what can't be decided is not bad. */
enum style style_of_evidence(struct span verdict)
{
    if (span_is(verdict, "recomputed"))
        return STYLE_GOOD;
    if (!verdict.len || span_starts_with(verdict, SPAN("unres")) ||
        span_starts_with(verdict, SPAN("unsupported")))
        return STYLE_UNKNOWN;
    return STYLE_BAD;
}

const char *glyph_of_evidence(struct span verdict)
{
    enum style style = style_of_evidence(verdict);
    return style == STYLE_GOOD ? "✔" : style == STYLE_BAD ? "✘" : "?";
}

void verdict_draw(struct area area, int row, int column, enum verdict verdict)
{
    static const struct {
        const char *word;
        enum style style;
    } words[] = {
        [VERDICT_NONE] = {"none", STYLE_DIM},
        [VERDICT_ALLOW] = {"allow", STYLE_ALLOW},
        [VERDICT_ASK] = {"? ask", STYLE_ASK},
        [VERDICT_DENY] = {"✘ deny", STYLE_DENY},
    };
    cells_ours(area, row, column, words[verdict].style, words[verdict].word);
}

const char *label_short(struct label label)
{
    bool hidden = label_is_private(label);
    if (label.integrity == UNTRUSTED)
        return hidden ? "untrusted private" : "untrusted";
    return hidden ? "private" : "";
}

enum style style_of_label(struct label label)
{
    bool hidden = label_is_private(label);
    if (label.integrity == UNTRUSTED)
        return hidden ? STYLE_BOTH : STYLE_UNTRUSTED;
    return hidden ? STYLE_PRIVATE : STYLE_DIM;
}

void duration_text(int64_t ns, char text[24])
{
    char sign = ns < 0 ? '-' : '+';
    uint64_t ms = (ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns) / 1000000;
    uint64_t s = ms / 1000;
    if (ms < 1000)
        snprintf(text, 24, "%c%dms", sign, (int)ms);
    else if (s < 60)
        snprintf(text, 24, "%c%d.%ds", sign, (int)s, (int)(ms % 1000 / 100));
    else if (s < 3600)
        snprintf(text, 24, "%c%dm%02ds", sign, (int)(s / 60), (int)(s % 60));
    else if (s < 86400)
        snprintf(text, 24, "%c%dh%02dm", sign, (int)(s / 3600), (int)(s / 60 % 60));
    else
        snprintf(text, 24, "%c%ud%02dh", sign, (unsigned)(s / 86400), (int)(s / 3600 % 24));
}

void time_text(int64_t ns, char text[40])
{
    struct buf written = {0}; /* 2026-05-26T09:12:04Z */
    time_print(&written, ns, 0);
    const char *at = buf_cstr(&written);
    snprintf(text, 40, "%.10s %.8s", at, at + 11);
    buf_finish(&written);
}

const char *talker_of(const struct step *step, enum style *style)
{
    bool system = step->kind == STEP_PROMPT && step->tool.len;
    *style = step->kind != STEP_PROMPT ? STYLE_AGENT : system ? STYLE_DIM : STYLE_USER;
    return step->kind == STEP_ASSISTANT ? "agent"
           : step->kind != STEP_PROMPT  ? NULL
           : system                     ? "system"
                                        : "user";
}
