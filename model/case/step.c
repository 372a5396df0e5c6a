#include "model/case/step.h"

const char *step_kind_word(enum step_kind kind)
{
    static const char *const words[] = {
#define X(id, word, text) word,
        STEP_KINDS(X)
#undef X
    };
    return words[kind];
}

bool step_kind_of(struct span word, enum step_kind *kind)
{
    for (int i = 0; i < STEP_KIND_COUNT; i++)
        if (span_is(word, step_kind_word((enum step_kind)i))) {
            *kind = (enum step_kind)i;
            return true;
        }
    return false;
}

static const char *const outcome_words[] = {
    [OUTCOME_NONE] = "none",       [OUTCOME_COMPLETED] = "completed",   [OUTCOME_FAILED] = "failed",
    [OUTCOME_REFUSED] = "refused", [OUTCOME_UNANSWERED] = "unanswered",
};

const char *outcome_word(enum outcome outcome)
{
    return outcome_words[outcome];
}

bool outcome_of(struct span word, enum outcome *outcome)
{
    for (size_t i = 0; i < COUNT_OF(outcome_words); i++)
        if (span_is(word, outcome_words[i])) {
            *outcome = (enum outcome)i;
            return true;
        }
    return false;
}
