#include "model/findings/finding.h"

#include "base/embed.h"
#include "base/jsonr.h"
#include "model/findings/check.h"
#include "model/findings/codes.h"

EMBEDDED(finding_pages);

static const struct finding_code codes[CODE_COUNT] = {
#define X(code, severity, title, statement, source)                                                \
    {#code, SEVERITY_##severity, title, statement, source},
    FINDING_CODES(X)
#undef X
};

static const char *const finding_severity_words[] = {"info", "low", "medium", "high", "critical"};

const char *severity_word(enum severity severity)
{
    return finding_severity_words[severity];
}

bool severity_of(struct span word, enum severity *severity)
{
    for (size_t i = 0; i < COUNT_OF(finding_severity_words); i++)
        if (span_is(word, finding_severity_words[i])) {
            *severity = (enum severity)i;
            return true;
        }
    return false;
}

const struct finding_code *finding_code_find(struct span code)
{
    for (size_t i = 0; i < CODE_COUNT; i++)
        if (span_equal_nocase(code, span_of(codes[i].code)))
            return &codes[i];
    return NULL;
}

size_t finding_code_count(void)
{
    return CODE_COUNT;
}

const struct finding_code *finding_code_at(size_t index)
{
    return &codes[index];
}

struct span finding_page(const struct finding_code *code)
{
    const struct embedded *page = embedded_find(finding_pages, span_of(code->code));
    return page ? page->text : SPAN_EMPTY;
}

void finding_detail_json(struct buf *out, const struct finding *finding,
                         const struct policy *policy)
{
    buf_puts(out, "{\"evidence\": [");
    for (size_t i = 0; i < finding->evidence_count; i++) {
        const struct finding_evidence *e = &finding->evidence[i];
        buf_addf(out, "%s{\"step\": ", i ? ", " : "");
        if (e->n)
            buf_addf(out, "%lld", (long long)e->n);
        else
            buf_puts(out, "null");
        buf_puts(out, ", \"pointer\": ");
        jsonr_quote(out, e->pointer);
        buf_addf(out, ", \"offset\": %llu, \"length\": %llu}", (unsigned long long)e->offset,
                 (unsigned long long)e->length);
    }
    buf_puts(out, "], \"refs\": [");
    jsonr_quote(out, span_of(finding->code->source));
    buf_puts(out, "], \"policy\": ");
    jsonr_quote(out, span_of(policy_name(policy)));
    buf_puts(out, ", \"suppressed\": ");
    if (finding->suppressed.at)
        jsonr_quote(out, finding->suppressed);
    else
        buf_puts(out, "null");
    buf_byte(out, '}');
}
