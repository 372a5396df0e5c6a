#include "cli/fail_on.h"

bool fail_on_option(const struct invocation *call, enum severity *fail_on, struct err *err)
{
    const char *word = option_value(call, "fail-on");
    *fail_on = SEVERITY_HIGH;
    if (word && !severity_of(span_of(word), fail_on))
        return err_set(err, ERR_USAGE, "--fail-on", "use critical, high, medium, low or info",
                       "'%s' is no severity", word);
    return true;
}
