#include "cli/verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "recorder/relay.h"
#include "recorder/signals.h"

/* What is opened below must not become standard input, output or error. */
static bool have_standard_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int record(const char *log, const char *server, char *const *command)
{
    struct err err = {0};
    struct child child;
    int signals = have_standard_streams() ? signals_catch() : -1;
    if (signals < 0) {
        err_set(&err, ERR_INTERNAL, "record", NULL, "%s", strerror(errno));
        verb_failed(&err);
        return CHILD_NO_MEANS;
    }
    struct capture *capture = capture_create(log, &err);
    if (!capture) {
        verb_failed(&err);
        return CHILD_NO_MEANS;
    }
    int failed = child_start(&child, command, &err);
    if (failed) {
        capture_destroy(capture);
        verb_failed(&err);
        return failed;
    }
    capture_start(capture, &(struct capture_start){server, command, (int)child.pid});
    int status = relay_run(&child, capture, signals);
    int passed_on = status < 0 ? 128 - status : status;
    if (!capture_finish(capture, status))
        _exit(passed_on);
    return passed_on;
}

static int record_run(struct invocation *call)
{
    struct err err;
    const char *log = option_value(call, "output");
    if (!log || call->operand_count == 0) {
        err_set(&err, ERR_USAGE, "record", "strandline record -o LOG -- SERVER ARG...",
                log ? "no server is named" : "no log is named");
        return verb_failed(&err);
    }
    return record(log, option_value(call, "server"), call->operands);
}

static const struct option_spec record_options[] = {
    {"output", 'o', "LOG", "the log to write, or to append to; made with mode 0600"},
    {"server", 's', "NAME",
     "the server's name in the host's configuration (else from the command)"},
    {NULL, 0, NULL, NULL},
};

const struct verb verb_record = {
    .name = "record",
    .usage = "-o LOG -- SERVER ARG...",
    .summary = "Stand between a host and a stdio server, and write a log.",
    .help =
        "Put it before the server's command in the host's configuration. Bytes are passed on at\n"
        "once and unchanged, and then recorded: messages both ways, the server's stderr, signals,\n"
        "and how it ended. Signals and the server's exit status are passed on (128 + N where "
        "signal\n"
        "N ended it; 127 or 126 where it can't be started, 125 where the log can't be written).\n"
        "The command line is recorded with its arguments, the environment never is. Several\n"
        "recorders may append to one log.\n\n"
        "    strandline record -o ~/mcp/github.jsonl -- github-mcp-server stdio\n"
        "    strandline ~/mcp/github.jsonl",
    .options = record_options,
    .run = record_run,
    .starts_program = true,
};
