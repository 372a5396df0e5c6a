/*
 * Writes a log of about the size asked for, the same each time: what a busy host
 * says to a server in a day as JSON-RPC, bare or with times and directions; or a
 * Claude Code transcript of which 99 % is progress, where each line repeats the
 * output of a command so far. gen_log MEGABYTES [bare|marked|progress] > FILE
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

static uint64_t written;
static int64_t clock_ms = 1764529200000;
static int marked;

static void put(const char *text)
{
    fputs(text, stdout);
    written += strlen(text);
}

static void begin(const char *mark)
{
    if (!marked)
        return;
    char line[64];
    clock_ms += (int64_t)(next() % 300);
    int64_t second = clock_ms / 1000 % 86400;
    snprintf(line, sizeof line, "2025-11-30T%02d:%02d:%02d.%03dZ %s ", (int)(second / 3600),
             (int)(second / 60 % 60), (int)(second % 60), (int)(clock_ms % 1000), mark);
    put(line);
}

static const char *const words[] = {
    "invoice",
    "the",
    "deadline",
    "of",
    "meeting",
    "please",
    "review",
    "attached",
    "draft",
    "to",
    "customer",
    "and",
    "shipping",
    "address",
    "changed",
    "since",
    "Tuesday",
    "caf\xc3\xa9",
    "total",
    "\\n",
    "\\\"quoted\\\"",
    "see",
    "report",
    "for",
    "details",
    "r\xc3\xa9sum\xc3\xa9",
    "https://example.org/a",
};

static void prose(uint64_t bytes)
{
    for (uint64_t until = written + bytes; written < until;) {
        put(words[next() % (sizeof words / sizeof *words)]);
        put(" ");
    }
}

static const char *const tools[] = {"read_mail",  "send_mail",   "search",    "read_file",
                                    "write_file", "list_issues", "run_query", "fetch"};

static void start(void)
{
    begin("-->");
    put("{\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
        "\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}},\"jsonrpc\":\"2.0\",\"id\":0}\n");
    begin("<--");
    put("{\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":"
        "{\"name\":\"office\",\"version\":\"1\"}},\"jsonrpc\":\"2.0\",\"id\":0}\n");
    begin("-->");
    put("{\"method\":\"tools/list\",\"jsonrpc\":\"2.0\",\"id\":1}\n");
    begin("<--");
    put("{\"result\":{\"tools\":[");
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        put(i ? ",{\"name\":\"" : "{\"name\":\"");
        put(tools[i]);
        put("\",\"description\":\"");
        prose(300);
        put("\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"q\":{\"type\":\"string\"}}},"
            "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}");
    }
    put("]},\"jsonrpc\":\"2.0\",\"id\":1}\n");
}

static uint64_t result_size(void)
{
    uint64_t dice = next() % 1000;
    return dice < 600   ? 100 + next() % 500
           : dice < 950 ? 500 + next() % 4000
           : dice < 998 ? 4000 + next() % 40000
                        : 200000;
}

static void call(uint64_t id)
{
    char text[256];
    begin("-->");
    snprintf(text, sizeof text,
             "{\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{\"q\":\"",
             tools[next() % (sizeof tools / sizeof *tools)]);
    put(text);
    prose(20 + next() % 100);
    snprintf(text, sizeof text, "\",\"n\":%d}},\"jsonrpc\":\"2.0\",\"id\":%llu}\n",
             (int)(next() % 1000), (unsigned long long)id);
    put(text);
    for (uint64_t n = next() % 10 ? 0 : next() % 6; n; n--) {
        begin("<--");
        snprintf(text, sizeof text,
                 "{\"method\":\"notifications/progress\",\"params\":{\"progress\":%d,"
                 "\"progressToken\":%llu},\"jsonrpc\":\"2.0\"}\n",
                 (int)n, (unsigned long long)id);
        put(text);
    }
    begin("<--");
    put("{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"");
    prose(result_size());
    put("\"}]");
    if (next() % 10 == 0)
        put(",\"_meta\":{\"io.modelcontextprotocol/trust-annotations\":{\"untrusted\":true,\"sensitive\":false}}");
    snprintf(text, sizeof text, "},\"jsonrpc\":\"2.0\",\"id\":%llu}\n", (unsigned long long)id);
    put(text);
}

/* ---- progress ---- */

static void transcript_line(uint64_t id, uint64_t *node, const char *type, const char *body)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"parentUuid\":\"node-%llu\",\"isSidechain\":false,\"userType\":\"external\","
             "\"cwd\":\"/home/dev/project\",\"sessionId\":\"bench\",\"version\":\"2.1.19\","
             "\"gitBranch\":\"main\",\"type\":\"%s\",",
             (unsigned long long)*node, type);
    put(text);
    put(body);
    ++*node;
    clock_ms += (int64_t)(next() % 1000);
    int64_t second = clock_ms / 1000 % 86400;
    snprintf(text, sizeof text,
             ",\"parentToolUseID\":\"call-%llu\",\"uuid\":\"node-%llu\","
             "\"timestamp\":\"2025-11-30T%02d:%02d:%02d.%03dZ\"}\n",
             (unsigned long long)id, (unsigned long long)*node, (int)(second / 3600),
             (int)(second / 60 % 60), (int)(second % 60), (int)(clock_ms % 1000));
    put(text);
}

/* A command that runs for a while: a line each second, with all that it has said. */
static void command(uint64_t id, uint64_t *node)
{
    enum { OUTPUT = 30000, OUTPUT_LINE = 400 };
    static char output[OUTPUT + OUTPUT_LINE], body[OUTPUT + 2 * OUTPUT_LINE];
    size_t len = 0;
    snprintf(
        body, sizeof body,
        "\"message\":{\"id\":\"m-%llu\",\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","
        "\"id\":\"call-%llu\",\"name\":\"Bash\",\"input\":{\"command\":\"make -j8\"}}]}",
        (unsigned long long)id, (unsigned long long)id);
    transcript_line(id, node, "assistant", body);
    for (uint64_t n = 20 + next() % 60; n; n--) {
        for (size_t until = len + next() % OUTPUT_LINE; len < until && len < OUTPUT;)
            len += (size_t)snprintf(output + len, sizeof output - len, "%s %d ",
                                    words[next() % (sizeof words / sizeof *words)],
                                    (int)(next() % 10000));
        snprintf(
            body, sizeof body,
            "\"data\":{\"type\":\"bash_progress\",\"fullOutput\":\"%s\",\"elapsedTimeSeconds\":1}",
            output);
        transcript_line(id, node, "progress", body);
    }
    snprintf(body, sizeof body,
             "\"message\":{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"call-%llu\","
             "\"type\":\"tool_result\",\"content\":\"done\"}]}",
             (unsigned long long)id);
    transcript_line(id, node, "user", body);
}

int main(int argc, char **argv)
{
    uint64_t size = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1000) * 1000000;
    marked = argc > 2 && strcmp(argv[2], "marked") == 0;
    static char buffer[1 << 20];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    bool progress = argc > 2 && strcmp(argv[2], "progress") == 0;
    uint64_t node = 0;
    if (!progress)
        start();
    for (uint64_t id = 2; written < size; id++) {
        if (progress)
            command(id, &node);
        else
            call(id);
    }
    return fflush(stdout) != 0;
}
