/* Logs of a few lines, and the steps that come of them. */
#include "tests/unit/ingest_support.h"

struct example {
    const char *name, *log, *steps;
};

static void expect(const struct example *e)
{
    struct import_options options = {0};
    struct import_totals totals;
    struct buf said = {0};
    struct case_file *c = import_text(e->name, span_of(e->log), &options, &totals);
    cr_expect_str_eq(say_steps(c, &said), e->steps, "%s\nis\n%s\nnot\n%s", e->log, buf_cstr(&said),
                     e->steps);
    case_close(c);
    buf_finish(&said);
}

#define OUT(text) "--> " text "\n"
#define IN(text)  "<-- " text "\n"
#define CALL(id, tool)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool    \
    "\",\"arguments\":{\"a\":" id "}}}"
#define RESULT(id, text)                                                                           \
    "{\"jsonrpc\":\"2.0\",\"id\":" id                                                              \
    ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}]}}"
#define BODY(text) "{\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}]}"

Test(assembler, pairs)
{
    static const struct example examples[] = {
        {"calls.log", /* parallel, out of order, an error, one that is never answered */
         OUT(CALL("1", "x")) OUT(CALL("2", "y")) IN(RESULT("2", "two")) IN(RESULT("1", "one"))
             OUT(CALL("3", "z")) IN("{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-1}}")
                 OUT(CALL("4", "w")),
         "1:1 tool_call x@calls completed | {\"a\":1}\n"
         "1:2 tool_call y@calls completed | {\"a\":2}\n"
         "1:3 tool_result y@calls of 2 | " BODY(
             "two") "\n"
                    "1:4 tool_result x@calls of 1 | " BODY(
                        "one") "\n"
                               "1:5 tool_call z@calls failed | {\"a\":3}\n"
                               "1:6 tool_result z@calls of 5 error | {\"code\":-1}\n"
                               "1:7 tool_call w@calls unanswered | {\"a\":4}\n"},
        {"ids.log", /* 1, "1", 1.0 and 2^53+1 are four ids; a string is what it decodes to */
         OUT(CALL("1", "n")) OUT(CALL("\"1\"", "s")) OUT(CALL("1.0", "f"))
             OUT(CALL("9007199254740993", "b")) OUT(CALL("9007199254740992", "c"))
                 IN(RESULT("9007199254740992", "c")) IN(RESULT("1.0", "f"))
                     IN(RESULT("\"\\u0031\"", "s")) IN(RESULT("1", "n")),
         "1:1 tool_call n@ids completed | {\"a\":1}\n"
         "1:2 tool_call s@ids completed | {\"a\":\"1\"}\n"
         "1:3 tool_call f@ids completed | {\"a\":1.0}\n"
         "1:4 tool_call b@ids unanswered | {\"a\":9007199254740993}\n"
         "1:5 tool_call c@ids completed | {\"a\":9007199254740992}\n"
         "1:6 tool_result c@ids of 5 | " BODY(
             "c") "\n"
                  "1:7 tool_result f@ids of 3 | " BODY(
                      "f") "\n"
                           "1:8 tool_result s@ids of 2 | " BODY(
                               "s") "\n"
                                    "1:9 tool_result n@ids of 1 | " BODY("n") "\n"},
        {"sides.jsonl", /* no marks, and both sides count from 0 */
         CALL(
             "0",
             "x") "\n"
                  "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"elicitation/create\",\"params\":{}}\n"
                  "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"action\":\"decline\"}}\n" RESULT(
                      "0", "ok") "\n",
         "1:1 tool_call x@sides completed | {\"a\":0}\n"
         "1:2 elicitation elicitation/create@sides | {}\n"
         "1:3 elicitation elicitation/create@sides of 2 | {\"action\":\"decline\"}\n"
         "1:4 tool_result x@sides of 1 | " BODY("ok") "\n"},
        {"lost.jsonl", /* only what the server said */
         RESULT("7", "orphan") "\n{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{}}\n",
         "1:1 tool_result @lost | " BODY("orphan") "\n"},
        {"taken-back.log", /* a cancellation names its call; each side takes back its own requests
                            */
         OUT(CALL("1", "x")) IN("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}") OUT(
             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}")
             IN("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}")
                 IN(RESULT("1", "late")),
         "1:1 tool_call x@taken-back completed | {\"a\":1}\n"
         "1:2 notification notifications/cancelled@taken-back of 1 | {\"requestId\":1}\n"
         "1:3 notification notifications/cancelled@taken-back | {\"requestId\":1}\n"
         "1:4 tool_result x@taken-back of 1 | " BODY("late") "\n"},
        {"batch.jsonl",
         "[" CALL("1", "x") "," CALL("2", "y") "]\n[" RESULT("2", "b") "," RESULT("1", "a") "]\n",
         "1:1 tool_call x@batch completed | {\"a\":1}\n"
         "1:2 tool_call y@batch completed | {\"a\":2}\n"
         "1:3 tool_result y@batch of 2 | " BODY("b") "\n"
                                                     "1:4 tool_result x@batch of 1 | " BODY(
                                                         "a") "\n"},
    };
    for (size_t i = 0; i < COUNT_OF(examples); i++)
        expect(&examples[i]);
}

#define INIT                                                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\"," \
    "\"clientInfo\":{\"name\":\"host\",\"version\":\"1\"}}}"
#define WELCOME                                                                                    \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\",\"serverInfo\":" \
    "{\"name\":\"mail\",\"version\":\"2\"},\"instructions\":\"be\\nkind\"}}"

Test(assembler, connections)
{
    static const struct example examples[] = {
        {"two.log", /* a client that starts again counts from 0 again */
         OUT(INIT) IN(WELCOME) OUT(CALL("1", "x")) OUT(INIT) IN(WELCOME) OUT(CALL("1", "x"))
             IN(RESULT("1", "new")),
         "1:1 connection @mail | {\"protocolVersion\":\"2025-06-18\",\"clientInfo\":{\"n\n"
         "1:2 instructions @mail | be~kind\n"
         "1:3 tool_call x@mail unanswered | {\"a\":1}\n"
         "1:4 connection @mail | {\"protocolVersion\":\"2025-06-18\",\"clientInfo\":{\"n\n"
         "1:5 instructions @mail | be~kind\n"
         "1:6 tool_call x@mail completed | {\"a\":1}\n"
         "1:7 tool_result x@mail of 6 | " BODY("new") "\n"},
        {"silent.log", OUT(INIT),
         "1:1 connection @silent | {\"protocolVersion\":\"2025-06-18\",\"clientInfo\":{\"n\n"},
        {"mcp.log", /* Claude Desktop, several servers in one file */
         "2025-02-22T04:14:49.000Z [info] [a] Message from client: " CALL(
             "1",
             "x") "\n"
                  "2025-02-22T04:14:50.000Z [info] [b] Message from client: " CALL(
                      "1",
                      "y") "\n"
                           "2025-02-22T04:14:51.000Z [info] [a] Message from server: " RESULT(
                               "1",
                               "a") " { metadata: undefined }\n"
                                    "2025-02-22T04:14:52.000Z [info] [b] Message from server: " RESULT(
                                        "1", "b") "\n",
         "1:1 tool_call x@a completed | {\"a\":1}\n"
         "1:2 tool_call y@b completed | {\"a\":1}\n"
         "1:3 tool_result x@a of 1 | " BODY("a") "\n"
                                                 "1:4 tool_result y@b of 2 | " BODY("b") "\n"},
    };
    for (size_t i = 0; i < COUNT_OF(examples); i++)
        expect(&examples[i]);
    struct import_options options = {.server = "given"};
    struct import_totals totals;
    struct case_file *c =
        import_text("two.log", SPAN(OUT(INIT) IN(WELCOME) OUT(INIT)), &options, &totals);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM connection JOIN server ON server.id=server_id"
                              " WHERE name='given'"),
                 2);
    cr_assert_eq(number_of(c, "SELECT max(epoch) FROM connection"), 2);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM connection WHERE protocol_version='2025-06-18'"
                              " AND client_name='host' AND server_name='mail'"),
                 1);
    case_close(c);
}

#define TOOLS                                                                                      \
    "{\"tools\":[{\"name\":\"x\",\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}]}"
#define TRUST                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/trust-annotations\":{\"untrusted\":true,\"evidenceRef\":" \
    "{\"type\":\"data-class.v1\",\"digest\":\"sha256:00\"}}}"

Test(assembler, content)
{
    static const struct example examples[] = {
        {"c.log",
         OUT("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}") IN(
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" TOOLS
             "}") OUT(CALL("2",
                           "x")) IN("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[]," TRUST
                                    "}}")
             IN("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}") OUT(
                 "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\",\"params\":{\"uri\":\"f:/a\"}}")
                 IN("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"contents\":[{\"uri\":\"f:/a\",\"text\":\"{\\\"k\\\":1}\"}]}}")
                     OUT("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\"}}")
                         IN("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"messages\":[]}}"),
         "1:1 definitions @c | {\"tools\":[{\"name\":\"x\",\"annotations\":{\"readOnlyHi\n"
         "1:2 tool_call x@c completed defined | {\"a\":2}\n"
         "1:3 tool_result x@c of 2 claims 1+1 | {\"content\":[],\"_meta\":{\"io.modelcontextprotocol/\n"
         "1:4 notification notifications/tools/list_changed@c | \n"
         "1:5 resource f:/a@c | {\"contents\":[{\"uri\":\"f:/a\",\"text\":\"{\\\"k\\\":1}\"}]}\n"
         "1:6 prompt_get p@c | {\"messages\":[]}\n"},
        {"retry.log", /* 2026-07-28: one operation, two requests */
         OUT(CALL("1", "del")) IN(
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\","
             "\"inputRequests\":{\"ok\":{\"method\":\"elicitation/create\",\"params\":{}}}}}")
             OUT("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"del\",\"requestState\":\"s\","
                 "\"inputResponses\":{\"ok\":{\"action\":\"accept\"}}}}")
                 IN(RESULT("2", "deleted")),
         "1:1 tool_call del@retry completed | {\"a\":1}\n"
         "1:2 elicitation elicitation/create@retry of 1 | {\"method\":\"elicitation/create\",\"params\":{}}\n"
         "1:3 elicitation inputResponses@retry of 1 | {\"ok\":{\"action\":\"accept\"}}\n"
         "1:4 tool_result del@retry of 1 | " BODY("deleted") "\n"},
        {"task.log", /* 2025-11-25: the result of a task comes with another request */
         OUT(CALL("1", "slow"))
             IN("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"task\":{\"taskId\":\"t\"}}}") OUT(
                 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"t\"}}")
                 IN(RESULT("2", "done")),
         "1:1 tool_call slow@task completed | {\"a\":1}\n"
         "1:2 tool_result slow@task of 1 | " BODY("done") "\n"},
    };
    for (size_t i = 0; i < COUNT_OF(examples); i++)
        expect(&examples[i]);
    struct import_options options = {0};
    struct import_totals totals;
    struct case_file *c = import_text("c.log", span_of(examples[0].log), &options, &totals);
    cr_assert_eq(
        number_of(c,
                  "SELECT count(*) FROM definition WHERE tool='x' AND read_only=1 AND open_world=0"
                  " AND destructive IS NULL AND length(digest)=32"),
        1);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM record WHERE name='f:/a' AND encoding='json'"),
                 1);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM claim WHERE name='untrusted' AND value='true'"),
                 1);
    case_close(c);
}

#define LINE(type, rest) "{\"type\":\"" type "\",\"sessionId\":\"s\",\"parentUuid\":" rest "}\n"

Test(assembler, transcripts)
{
    static const struct example examples[] = {
        {"s.jsonl",
         LINE("user", "null,\"uuid\":\"a\",\"message\":{\"content\":\"hi\"}") LINE(
             "assistant",
             "\"a\",\"uuid\":\"b\",\"message\":{\"id\":\"m\",\"content\":["
             "{\"type\":\"text\",\"text\":\"a\\tb\"},"
             "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"mcp__git__log\",\"input\":{\"n\":1}},"
             "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"Task\",\"input\":{\"prompt\":\"p\"}}]}")
             LINE(
                 "user",
                 "\"b\",\"uuid\":\"c\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t1\","
                 "\"is_error\":true,\"content\":\"The user doesn't want to proceed with this tool use.\"}]}")
                 LINE(
                     "user",
                     "null,\"uuid\":\"k\",\"isSidechain\":true,\"agentId\":\"q\",\"message\":{\"content\":\"p\"}")
                     LINE(
                         "user",
                         "\"c\",\"uuid\":\"d\",\"toolUseResult\":{\"agentId\":\"q\"},\"message\":{\"content\":["
                         "{\"type\":\"tool_result\",\"tool_use_id\":\"t2\",\"content\":\"sub\"}]}")
                         LINE("user", "\"d\",\"uuid\":\"e\",\"message\":{\"content\":\"undone\"}") LINE(
                             "user", "\"d\",\"uuid\":\"f\",\"message\":{\"content\":\"go on\"}")
                             LINE("system", "\"f\",\"uuid\":\"g\",\"subtype\":\"compact_boundary\"") LINE(
                                 "user",
                                 "\"g\",\"uuid\":\"h\",\"isCompactSummary\":true,\"message\":{\"content\":\"so far\"}"),
         "1:1 prompt  | hi\n"
         "1:2 assistant  | a\tb\n"
         "1:3 tool_call log@git refused | {\"n\":1}\n"
         "1:4 tool_call Task completed ran 2 | {\"prompt\":\"p\"}\n"
         "1:5 tool_result log@git of 3 error | The user doesn't want to proceed with this tool \n"
         "1:6 tool_result Task of 4 | sub\n"
         "1:7 prompt  left | undone\n"
         "1:8 prompt  | go on\n"
         "1:9 reset compact | {\"type\":\"system\",\"sessionId\":\"s\",\"parentUuid\":\"f\n"
         "1:10 assistant  | so far\n"
         "2:1 prompt  | p\n"},
        {"branch.jsonl", /* a session branched from another: each goes its own way */
         LINE("user", "null,\"uuid\":\"a\",\"message\":{\"content\":\"1\"}") LINE(
             "user",
             "\"a\",\"uuid\":\"b\",\"message\":{\"content\":\"2\"}") "{\"type\":\"user\",\"sessionId\":\"t\",\"parentUuid\":\"a\",\"uuid\":\"c\",\"message\":{\"content\":\"3\"}}\n",
         "1:1 prompt  | 1\n1:2 prompt  | 2\n2:1 prompt  | 3\n"},
        {"ui_messages.json", /* JSON in a string in a string */
         "[{\"ts\":1764529200000,\"say\":\"task\",\"text\":\"do\"},"
         "{\"ts\":1764529200001,\"ask\":\"use_mcp_server\",\"text\":\"{\\\"serverName\\\":\\\"git\\\",\\\"toolName\\\":"
         "\\\"log\\\",\\\"arguments\\\":\\\"{\\\\\\\"a\\\\\\\":1}\\\"}\"},"
         "{\"ts\":1764529200002,\"say\":\"mcp_server_response\",\"text\":\"r\"}]",
         "1:1 prompt  | do\n1:2 tool_call log@git completed | {\"a\":1}\n1:3 tool_result log@git of 2 | r\n"},
        {"rollout.jsonl", /* told three times */
         "{\"type\":\"response_item\",\"timestamp\":\"t\",\"payload\":{\"type\":\"function_call\",\"name\":\"read\",\"namespace\":\"mcp__o\",\"arguments\":\"{}\",\"call_id\":\"c\"}}\n"
         "{\"type\":\"event_msg\",\"timestamp\":\"t\",\"payload\":{\"type\":\"item_completed\",\"item\":{\"type\":\"McpToolCall\",\"id\":\"c\",\"server\":\"o\",\"tool\":\"read\",\"arguments\":{},\"result\":{\"content\":[]}}}}\n"
         "{\"type\":\"response_item\",\"timestamp\":\"t\",\"payload\":{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"shown\"}}\n",
         "1:1 tool_call read@o completed | {}\n1:2 tool_result read@o of 1 | {\"content\":[]}\n"},
        {"m.json",
         "{\"messages\":[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"assistant\",\"tool_calls\":["
         "{\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}}]},"
         "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"r\"}]}",
         "1:1 prompt system | s\n1:2 tool_call f completed | {\"a\":1}\n1:3 tool_result f of 2 | r\n"},
    };
    for (size_t i = 0; i < COUNT_OF(examples); i++)
        expect(&examples[i]);
}
