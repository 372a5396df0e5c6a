#include "cli/output.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/wrap.h"

bool output_options(const struct invocation *call, struct output *out, struct err *err)
{
    *out = (struct output){
        .json = option_given(call, "json"),
        .quiet = option_given(call, "quiet"),
        .verbose = option_given(call, "verbose"),
    };
    bool terminal = isatty(STDOUT_FILENO);
    out->width = terminal_columns(stdout);
    const char *no_colour = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    out->colour = terminal && !(no_colour && *no_colour) && !(term && strcmp(term, "dumb") == 0);
    const char *when = option_value(call, "color");
    if (!when || strcmp(when, "auto") == 0)
        return true;
    if (strcmp(when, "always") == 0)
        out->colour = true;
    else if (strcmp(when, "never") == 0)
        out->colour = false;
    else
        return err_set(err, ERR_USAGE, "--color", "use auto, always or never", "'%s' is none",
                       when);
    return true;
}
