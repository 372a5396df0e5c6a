#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/reader_support.h"

#define CALL   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}"
#define ANSWER "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"

Test(readers, wire)
{
    static const struct example examples[] = {
        {"jsonrpc-lines", CALL "\n" ANSWER "\n",
         "message request method=tools/call id=1; message result id=1; "},
        {"jsonrpc-lines",
         "2026-11-30T17:56:17.088Z --> " CALL "\n[2026-11-30T17:56:17Z] <<< " ANSWER,
         "message c2s request method=tools/call id=1 t=1796061377088.3; "
         "message s2c result id=1 t=1796061377000.0; "},
        {"jsonrpc-lines", "2026-11-30T17:56:17.692Z !!! Starting\n",
         "stderr text=Starting t=1796061377692.3; "},
        {"jsonrpc-lines", "c2s " CALL "\ns2c: " ANSWER "\n[client -> server] x\n",
         "message c2s request method=tools/call id=1; message s2c result id=1; noise text; "},
        {"jsonrpc-lines", CALL ANSWER " " CALL "\n",
         "message request method=tools/call id=1; message result id=1; "
         "message request method=tools/call id=1; "},
        {"jsonrpc-lines", "[" CALL "," ANSWER "]\n",
         "message request method=tools/call id=1; message result id=1; "},
        {"jsonrpc-lines", "Starting\n{\"a\":1}\n\n", "noise text; noise json; "},
        {"jsonrpc-lines", "log: " ANSWER "\n", "message result id=1; (5 noise text) "},
        {"jsonrpc-lines", "{\"jsonrpc\":\"2.0\",\"id\":1,\"resu" CALL "\n",
         "message request method=tools/call id=1; (0+29 bad: text that is no whole message) "},
        {"jsonrpc-lines", CALL " oops\n",
         "message request method=tools/call id=1; (4 noise text) "},
        {"jsonrpc-lines", "{\"jsonrpc\":\"2.0\",\"id\":1,\"resu",
         "bad at 29: the file ends inside this message; "},
        {"jsonrpc-lines", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"result\":{}}\n",
         "message result id=\"?\"; (23+1 bad: invalid UTF-8 in a string) "},
        {"jsonrpc-lines", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1}}\n",
         "message error id=null; "},
        {"jsonrpc-lines", "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{}}\n",
         "message error id=7; "},
        {"jsonrpc-lines", "2026-11-30T17:56:00.123456789Z stdout F " ANSWER "\n",
         "message result id=1 t=1796061360123.9; (9 noise text) "},
        {"jsonrpc-envelope", "{\"ts\":1796061377088,\"dir\":\"s2c\",\"msg\":" ANSWER "}\n",
         "message s2c result id=1 t=1796061377088.3; "},
        {"jsonrpc-envelope",
         "{\"ts\":\"2026-11-30T18:03:21.216Z\",\"server\":\"office\",\"dir\":\"server->client\","
         "\"kind\":\"response\",\"id\":0,\"method\":\"tools/call\",\"result\":{\"x\":\"[REDACTED]\"}}\n",
         "message s2c result id=0 server=office t=1796061801216.3 redacted; "},
        {"jsonrpc-envelope",
         "{\"http_transport\":{\"pid\":1,\"host\":\"h:1\",\"is_request\":true},\"type\":\"request\","
         "\"id\":1,\"method\":\"ping\",\"raw\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"ping\\\"}\"}\n",
         "message c2s request method=ping id=1 on=h:1; "},
        {"jsonrpc-envelope",
         "{\"session_id\":\"s1\",\"server_label\":\"office\",\"direction\":\"stderr\",\"text\":\"hi\"}\n",
         "stderr text=\"hi\" server=office on=s1; "},
        {"jsonrpc-envelope", /* docker's own files, and the journal's JSON */
         "{\"log\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":{}}\\n\",\"stream\":\"stdout\","
         "\"time\":\"2026-11-30T18:03:21.216Z\"}\n"
         "{\"log\":\"oops\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-30T18:03:21.216Z\"}\n"
         "{\"MESSAGE\":\"--> {\\\"jsonrpc\\\":\\\"2.0\\\",\\\"method\\\":\\\"a/b\\\"} (sent)\","
         "\"_PID\":\"7\",\"__REALTIME_TIMESTAMP\":\"1796061801216000\"}\n",
         "message result id=1 t=1796061801216.3; stderr text=\"oops\\n\" t=1796061801216.3; "
         "message c2s notification method=a/b on=7 t=1796061801216.6; "},
        {"jsonrpc-values", "{\n \"jsonrpc\": \"2.0\",\n \"id\": 1,\n \"result\": {}\n}\n" CALL,
         "message result id=1; message request method=tools/call id=1; "},
        {"scan", "[proxy] sent: " CALL " ok\n> text\n",
         "message request method=tools/call id=1; (2 noise text) (14 noise text) noise text; "},
    };
    expect(examples, COUNT_OF(examples));
}

#define START(C, N, MORE)                                                                           \
    "{\"strandline\":\"capture/1\",\"time\":\"2026-11-30T18:00:00.000000001Z\",\"connection\":\"" C \
    "\",\"n\":" N MORE "}\n"
#define OF(C, N, MORE) "{\"t\":\"2026-11-30T18:00:01.5Z\",\"c\":\"" C "\",\"n\":" N "," MORE "}\n"

Test(readers, capture)
{
    static const struct example examples[] = {
        {"capture",
         START("a", "0", ",\"server\":\"files\"") OF("a", "1", "\"dir\":\"c2s\",\"msg\": " CALL " ")
             OF("b", "7", "\"dir\":\"s2c\",\"msg\":" ANSWER),
         "start text={\"strandline\":\"capture/1\",\"time\":\"2026-11-30T18:00:00.000000 server=files on=a "
         "t=1796061600000.9; message c2s request method=tools/call id=1 server=files on=a "
         "t=1796061601500.1; message s2c result id=1 on=b t=1796061601500.1; "},
        {"capture",
         OF("a", "1", "\"dir\":\"s2c\",\"raw\":\"no json\"")
             OF("a", "2",
                "\"dir\":\"s2c\",\"open\":true,\"raw\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,"
                "\\\"method\\\":\\\"ping\\\"}\"")
                 OF("a", "3", "\"dir\":\"c2s\",\"rest\":true,\"base64\":\"/w==\"")
                     OF("a", "4", "\"dir\":\"err\",\"text\":\"hi\""),
         "other s2c on=a t=1796061601500.1; message s2c request method=ping id=1 on=a t=1796061601500.1; "
         "other c2s on=a t=1796061601500.1 truncated; stderr text=\"hi\" on=a t=1796061601500.1; "},
        {"capture",
         OF("a", "1", "\"dir\":\"c2s\",\"msg\":[true]")
             OF("a", "3", "\"dir\":\"c2s\",\"closed\":\"sender\"")
                 OF("a", "4", "\"end\":\"exit\",\"status\":0")
                     OF("a", "5", "\"dir\":\"s2c\",\"undelivered\":true,\"msg\":" ANSWER)
                         OF("a", "6", "\"dir\":\"c2s\",\"undelivered\":true,\"msg\":" CALL),
         "other c2s on=a t=1796061601500.1; other c2s on=a t=1796061601500.1; (42+1 bad: records of "
         "this connection are missing before this one) other on=a t=1796061601500.1; "
         "other s2c on=a t=1796061601500.1; message c2s request method=tools/call id=1 on=a "
         "t=1796061601500.1; "},
        {"capture",
         OF("a", "1", "\"dir\":\"s2c\",\"lost\":5,\"why\":\"x\"") OF("a", "2", "\"lost_records\":5")
             OF("a", "8",
                "\"dir\":\"s2c\",\"base64\":\"?\"") "{\"t\":\"20\n{\"other\":1}\n\n{\"t\"",
         "bad at 63: the recorder could not keep up: traffic went by unrecorded; bad at 59: the recorder "
         "could not write: records are missing; bad at 0: a string that can't be decoded; (42+1 bad: "
         "records of this connection are missing before this one) bad at 8: a record torn off, or "
         "damaged; noise json; bad at 4: the file ends inside this record: the recorder was stopped, or "
         "the tail torn off; "},
    };
    expect(examples, COUNT_OF(examples));
}

/* A server that doesn't say its name has that of what was started. */
Test(readers, capture_command)
{
    static const struct {
        const char *command, *name;
    } cases[] = {
        {"[\"npx\",\"-y\",\"@scope/server-x\",\"/folder\"]", " as=server-x;"},
        {"[\"/usr/bin/node\",\"/srv/x/index.js\"]", " as=index.js;"},
        {"[\"C:\\\\bin\\\\server.exe\"]", " as=server.exe;"},
        {"[\"uv\",\"run\",\"mcp-server-git\"]", " as=mcp-server-git;"},
        {"[\"python3\",\"-m\",\"tool_server\"]", " as=tool_server;"},
        {"[\"sh\",\"-c\",\"server\"]", NULL},
        {"[\"npx\",\"a b\"]", NULL},
        {"[\"\"]", NULL},
        {"\"server\"", NULL},
        {"[]", NULL},
    };
    struct buf bytes = {0}, said = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        buf_clear(&bytes);
        buf_addf(&bytes,
                 "{\"strandline\":\"capture/1\",\"connection\":\"a\",\"n\":0,\"command\":%s}\n",
                 cases[i].command);
        say_all(buf_span(&bytes), "capture", &said);
        const char *text = buf_cstr(&said), *as = strstr(text, " as=");
        cr_expect(cases[i].name ? as && strstr(text, cases[i].name) : !as, "%s: %s",
                  cases[i].command, text);
    }
    buf_finish(&bytes);
    buf_finish(&said);
}

Test(readers, claude_desktop)
{
    static const struct example examples[] = {
        {"claude-desktop",
         "2025-02-22T04:14:49.168Z [fs] [info] Initializing server...\n"
         "2025-02-22T04:14:49.196Z [fs] [info] Message from client: " CALL
         " { metadata: undefined }\n"
         "npm warn tar\n"
         "2025-02-22T04:14:49.200Z [info] [fs] Message from server: " ANSWER "\n"
         "2025-02-22T04:14:50.000Z [fs] [error] Server disconnected. {\"context\":\"connection\"}\n",
         "start text=Initializing server... server=fs t=1740197689168.3; "
         "message c2s request method=tools/call id=1 server=fs t=1740197689196.3; "
         "stderr text=npm warn tar; "
         "message s2c result id=1 server=fs t=1740197689200.3; "
         "other server=fs t=1740197690000.3; "},
        {"claude-desktop",
         "2026-02-22T04:14:49.196Z [fs] [info] Message from server: {\"jsonrpc\":\"2.0\",\"id\":3,"
         "\"result\":{\"tools\":[{\"name\":\"a\",\"x\":\"draft-07/...[11759 chars truncated]...s\":true}]}}\n"
         "2026-02-22T04:14:49.196Z [fs] [info] Message from client: {\"method\":\"tools/call\","
         "\"params\":{\"name\":\"w\",\"arguments\":{\"t\":\"a...[99 chars truncated]...b\"}},"
         "\"jsonrpc\":\"2.0\",\"id\":4}\n",
         "message s2c result id=3 server=fs t=1771733689196.3 truncated; "
         "message c2s request method=tools/call id=4 server=fs t=1771733689196.3; "},
    };
    expect(examples, COUNT_OF(examples));
}

#define LINE(type, rest)                                                                           \
    "{\"type\":\"" type "\",\"sessionId\":\"s\",\"timestamp\":"                                    \
    "\"2026-04-18T13:10:51Z\"," rest "}\n"
#define AT " session=s t=1776517851000.0; "

Test(readers, claude_code)
{
    static const struct example examples[] = {
        {"claude-code",
         LINE(
             "user",
             "\"uuid\":\"a\",\"parentUuid\":null,\"message\":{\"role\":\"user\",\"content\":\"hi\"}")
             LINE(
                 "assistant",
                 "\"uuid\":\"b\",\"parentUuid\":\"a\",\"message\":{\"content\":["
                 "{\"type\":\"thinking\",\"thinking\":\"\"},{\"type\":\"text\",\"text\":\"ok\\n\"},"
                 "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"mcp__git__log\",\"input\":{\"n\":1}},"
                 "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"Bash\",\"input\":{}}]}")
                 LINE(
                     "user",
                     "\"uuid\":\"c\",\"parentUuid\":\"b\",\"message\":{\"content\":["
                     "{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"r\",\"is_error\":true}]}")
                     LINE("progress", "\"uuid\":\"p\",\"parentUuid\":\"c\"") LINE(
                         "system",
                         "\"subtype\":\"compact_boundary\",\"uuid\":\"d\"") "{\"type\":\"user\",\n\n",
         "prompt text=hi" AT "assistant text=\"ok\\n\"" AT
         "call text={\"n\":1} server=git tool=log call=t1" AT "call text={} tool=Bash call=t2" AT
         "result text=r call=t1 session=s t=1776517851000.0 error; "
         "noise progress; "
         "reset text={\"type\":\"system\",\"sessionId\":\"s\",\"timestamp\":\"2026-04-18T13: session=s "
         "t=1776517851000.0 compaction; "
         "bad at 15: the JSON text ends inside a value; "},
        {"claude-code",
         LINE("assistant",
              "\"uuid\":\"a\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\","
              "\"name\":\"Task\",\"input\":{\"prompt\":\"look\"}}]}")
             LINE("user", "\"uuid\":\"x\",\"isSidechain\":true,\"parentUuid\":null,"
                          "\"message\":{\"role\":\"user\",\"content\":\"look\"}")
                 LINE("user", "\"uuid\":\"y\",\"isSidechain\":true,\"parentUuid\":\"x\","
                              "\"message\":{\"role\":\"user\",\"content\":\"more\"}")
                     LINE(
                         "user",
                         "\"uuid\":\"z\",\"isSidechain\":true,\"agentId\":\"q\",\"parentUuid\":null,"
                         "\"message\":{\"role\":\"user\",\"content\":\"third\"}")
                         LINE(
                             "user",
                             "\"uuid\":\"b\",\"parentUuid\":\"a\",\"toolUseResult\":{\"agentId\":\"q\"},"
                             "\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"r\"}]}"),
         "call text={\"prompt\":\"look\"} tool=Task call=t1" AT
         "prompt text=look agent=chain-2 by=t1" AT "prompt text=more agent=chain-2" AT
         "prompt text=third agent=q" AT "result text=r call=t1 child=q" AT},
    };
    expect(examples, COUNT_OF(examples));
}

Test(readers, forks_are_abandoned)
{
    static const char lines[] =
        LINE("user", "\"uuid\":\"a\",\"parentUuid\":null,\"message\":{\"content\":\"1\"}") LINE(
            "assistant",
            "\"uuid\":\"b\",\"parentUuid\":\"a\",\"message\":{\"id\":\"m\",\"content\":\"2\"}")
            LINE("assistant",
                 "\"uuid\":\"c\",\"parentUuid\":\"b\",\"message\":{\"id\":\"m\",\"content\":\"3\"}")
                LINE(
                    "user",
                    "\"uuid\":\"d\",\"parentUuid\":\"b\",\"toolUseResult\":{},\"message\":{\"content\":\"4\"}")
                    LINE(
                        "user",
                        "\"uuid\":\"e\",\"parentUuid\":\"c\",\"message\":{\"content\":\"5\"}") /* undone
                                                                                                */
        LINE("assistant",
             "\"uuid\":\"f\",\"parentUuid\":\"e\",\"message\":{\"id\":\"n\",\"content\":\"6\"}")
            LINE("user", "\"uuid\":\"g\",\"parentUuid\":\"c\",\"message\":{\"content\":\"7\"}");
    static const bool left[] = {false, false, false, false, true, true, false};
    const struct reader *reader = reader_find(SPAN("claude-code"));
    void *state = reader->open(SPAN(""));
    struct outlet out;
    outlet_init(&out);
    struct span rest = span_of(lines);
    for (size_t i = 0; i < COUNT_OF(left); i++) {
        size_t end = span_find_byte(rest, '\n');
        struct unit unit = {.text = span_sub(rest, 0, end)};
        rest = span_sub(rest, end + 1, rest.len);
        outlet_clear(&out);
        reader->read(state, &unit, &out);
        cr_assert_eq(out.records[0].node, i + 1);
    }
    for (size_t i = 0; i < COUNT_OF(left); i++)
        cr_expect_eq(reader->abandoned(state, (uint32_t)i + 1), left[i], "%zu", i);
    outlet_finish(&out);
    reader->close(state);
}

Test(readers, conversations)
{
    static const struct example examples[] = {
        {"agentdojo",
         "{\"suite_name\":\"bank\",\"pipeline_name\":\"m\",\"messages\":["
         "{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"u\"},"
         "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"function\":\"pay\",\"args\":{\"n\":1},\"id\":\"c\"}]},"
         "{\"role\":\"tool\",\"content\":\"ok\",\"tool_call_id\":\"c\",\"error\":null},"
         "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"content\":\"done\"}]}],\"error\":null}",
         "noise document; prompt text=s system; prompt text=u; "
         "call text={\"n\":1} server=bank tool=pay call=c; result text=ok call=c; "
         "assistant text=done; noise document; "},
        {"messages-jsonl",
         "{\"messages\":[{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"assistant\",\"tool_calls\":["
         "{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}}]}]}\n"
         "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"git__g\",\"input\":{}}]}\n",
         "prompt text=u session=/logs/MCP user-github.log line 1; call text=\"{\\\"a\\\":1}\" tool=f call=c session=/logs/MCP user-github.log line 1; "
         "call text={} server=git tool=g call=t; "},
        {"messages",
         "{\"system\":\"be\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\","
         "\"text\":\"u\"}]}]}",
         "prompt text=be system; prompt text=u; noise document; "},
    };
    expect(examples, COUNT_OF(examples));
}

Test(readers, codex)
{
    static const struct example examples[] = {
        {"codex",
         "{\"timestamp\":\"2026-11-30T18:05:04Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"s\",\"cli_version\":\"0.171.0\","
         "\"base_instructions\":{\"text\":\"be\"}}}\n"
         "{\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"<environment_context>\"}]}}\n"
         "{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call\",\"name\":\"read\",\"namespace\":\"mcp__office\",\"arguments\":\"{\\\"n\\\":1}\",\"call_id\":\"c\"}}\n"
         "{\"type\":\"event_msg\",\"payload\":{\"type\":\"item_completed\",\"item\":{\"type\":\"McpToolCall\",\"id\":\"c\",\"server\":\"office\",\"tool\":\"read\",\"arguments\":{\"n\":1},\"status\":\"failed\",\"result\":{\"content\":[]}}}}\n"
         "{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"shown\"}}\n"
         "{\"type\":\"event_msg\",\"payload\":{\"type\":\"agent_message\",\"message\":\"x\"}}\n"
         "{\"type\":\"compacted\",\"payload\":{\"message\":\"so far\"}}\n",
         "prompt text=be session=s t=1796061904000.0 system; "
         "prompt text=<environment_context> session=s system; "
         "call text=\"{\\\"n\\\":1}\" server=office tool=read call=c session=s; "
         "call text={\"n\":1} server=office tool=read call=c session=s; "
         "result text={\"content\":[]} call=c session=s error; "
         "result text=shown call=c session=s; noise repeated; "
         "reset session=s compaction; assistant text=so far session=s; "},
        {"codex", /* the first era, then the third */
         "{\"id\":\"s\",\"timestamp\":\"2025-05-01T00:00:00Z\",\"instructions\":null}\n"
         "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"hi\"}]}\n"
         "{\"type\":\"function_call\",\"name\":\"office__read\",\"arguments\":\"{}\",\"call_id\":\"c\"}\n"
         "{\"timestamp\":\"t\",\"type\":\"event_msg\",\"payload\":{\"type\":\"mcp_tool_call_end\",\"call_id\":\"c\","
         "\"invocation\":{\"server\":\"office\",\"tool\":\"read\",\"arguments\":{}},\"result\":{\"Err\":\"no\"}}}\n",
         "other session=s t=1746057600000.0; assistant text=hi session=s; "
         "call text={} server=office tool=read call=c session=s; "
         "call text={} server=office tool=read call=c session=s; "
         "result text=no call=c session=s error; "},
        {"codex",
         "{\"type\":\"thread.started\",\"thread_id\":\"s\"}\n"
         "{\"type\":\"item.completed\",\"item\":{\"id\":\"i\",\"type\":\"agent_message\",\"text\":\"hi\"}}\n"
         "{\"type\":\"turn.completed\",\"usage\":{}}\n",
         "noise progress; assistant text=hi session=s; noise progress; "},
    };
    expect(examples, COUNT_OF(examples));
}

Test(readers, gemini)
{
    static const struct example examples[] = {
        {"gemini",
         "{\"sessionId\":\"s\",\"projectHash\":\"h\",\"kind\":\"main\"}\n"
         "{\"$set\":{\"messages\":[{\"id\":\"0\",\"type\":\"user\",\"content\":[{\"text\":\"<session_context>x\"}]}]}}\n"
         "{\"id\":\"1\",\"type\":\"user\",\"content\":[{\"text\":\"hi\"}]}\n"
         "{\"id\":\"2\",\"type\":\"gemini\",\"content\":\"ok\"}\n"
         "{\"id\":\"2\",\"type\":\"gemini\",\"content\":\"ok\",\"toolCalls\":[{\"id\":\"c\",\"name\":\"mcp_office_read_file\",\"args\":{},"
         "\"result\":[{\"functionResponse\":{\"response\":{\"output\":\"r\"}}}],\"status\":\"success\"}]}\n"
         "{\"id\":\"3\",\"type\":\"user\",\"content\":[{\"functionResponse\":{}}]}\n"
         "{\"$set\":{\"lastUpdated\":\"x\"}}\n{\"$rewindTo\":\"1\"}\n",
         "noise metadata; prompt text=<session_context>x session=s system; prompt text=hi session=s; "
         "assistant text=ok session=s; "
         "call text={} server=office tool=read_file call=c session=s; result text=r call=c session=s; "
         "noise repeated; noise metadata; noise rewind; "},
        {"gemini-stream",
         "{\"type\":\"init\",\"session_id\":\"s\"}\n"
         "{\"type\":\"tool_use\",\"tool_name\":\"mcp_office_read\",\"tool_id\":\"c\",\"parameters\":{\"n\":1}}\n"
         "{\"type\":\"tool_result\",\"tool_id\":\"c\",\"status\":\"error\",\"output\":\"no\"}\n",
         "noise metadata; call text={\"n\":1} server=office tool=read call=c session=s; "
         "result text=no call=c session=s error; "},
        {"gemini-json",
         "{\"sessionId\":\"s\",\"projectHash\":\"h\",\n\"messages\":[{\"id\":\"1\",\"type\":\"user\",\"content\":\"hi\"}]}",
         "noise document; prompt text=hi session=s; noise document; "},
    };
    expect(examples, COUNT_OF(examples));
}

Test(readers, editors)
{
    static const struct example examples[] = {
        {"cline",
         "[{\"ts\":1764529200000,\"type\":\"say\",\"say\":\"task\",\"text\":\"do\"},"
         "{\"ts\":1764529200001,\"type\":\"ask\",\"ask\":\"use_mcp_server\",\"text\":\"{\\\"serverName\\\":\\\"git\\\",\\\"toolName\\\":\\\"log\\\",\\\"arguments\\\":\\\"{}\\\"}\"},"
         "{\"ts\":1764529200002,\"type\":\"say\",\"say\":\"mcp_server_response\",\"text\":\"r\"},"
         "{\"ts\":1764529200003,\"type\":\"say\",\"say\":\"api_req_started\",\"text\":\"x\"}]",
         "noise document; prompt text=do t=1764529200000.3; "
         "call text=\"{\\\"serverName\\\":\\\"git\\\",\\\"toolName\\\":\\\"log\\\",\\\"arguments\\\": server=git tool=log call=mcp-1 t=1764529200001.3; "
         "result text=r call=mcp-1 t=1764529200002.3 approved; noise progress; noise document; "},
        {"cline", /* Roo calls the task a text, as what its model says */
         "[{\"ts\":1764529200000,\"type\":\"say\",\"say\":\"text\",\"text\":\"do\"},"
         "{\"ts\":1764529200001,\"type\":\"say\",\"say\":\"text\",\"text\":\"well\"}]",
         "noise document; prompt text=do t=1764529200000.3; "
         "assistant text=well t=1764529200001.3; noise document; "},
        {"vscode",
         "2026-03-02 10:11:12.345 [info] Starting server git\n"
         "2026-03-02 10:11:12.345 [trace] [editor -> server] " CALL "\n"
         "2026-03-02 10:11:12.346 [trace] [server -> editor] " ANSWER "\n"
         "2026-03-02 10:11:12.347 [warning] [server stderr] oops\n",
         "start text=Starting server git t=1772446272345.3; "
         "message c2s request method=tools/call id=1 t=1772446272345.3; "
         "message s2c result id=1 t=1772446272346.3; stderr text=oops t=1772446272347.3; "},
        {"opencode-stream",
         "{\"type\":\"tool_use\",\"timestamp\":1796062129874,\"sessionID\":\"s\",\"part\":{\"type\":\"tool\",\"tool\":\"git_log\","
         "\"callID\":\"c\",\"state\":{\"status\":\"completed\",\"input\":{},\"output\":\"r\",\"time\":{\"start\":1796062129683,\"end\":1796062129750}}}}\n"
         "{\"type\":\"step_start\",\"timestamp\":1796062129874,\"sessionID\":\"s\",\"part\":{\"type\":\"step-start\"}}\n",
         "call text={} server=git tool=log call=c session=s t=1796062129683.3; "
         "result text=r call=c session=s t=1796062129750.3; noise progress; "},
    };
    expect(examples, COUNT_OF(examples));
}

Test(readers, telemetry_and_agents)
{
    static const struct example examples[] = {
        {"otlp",
         "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"timeUnixNano\":\"0\",\"observedTimeUnixNano\":\"1796062038617962998\","
         "\"attributes\":[{\"key\":\"tool_name\",\"value\":{\"stringValue\":\"read\"}},{\"key\":\"mcp_server\",\"value\":{\"stringValue\":\"o\"}},"
         "{\"key\":\"arguments\",\"value\":{\"stringValue\":\"{}\"}},{\"key\":\"output\",\"value\":{\"stringValue\":\"r\"}},"
         "{\"key\":\"success\",\"value\":{\"stringValue\":\"false\"}},{\"key\":\"call_id\",\"value\":{\"stringValue\":\"c\"}}]}]}]}]}\n"
         "{\n\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"name\":\"x\",\"startTimeUnixNano\":\"1796062038000000000\",\"endTimeUnixNano\":\"1796062039000000000\","
         "\"attributes\":[{\"key\":\"gen_ai.tool.name\",\"value\":{\"stringValue\":\"mcp__o__read\"}},{\"key\":\"mcp.method.name\",\"value\":{\"stringValue\":\"tools/call\"}}]}]}]}]}",
         "call text={} server=o tool=read call=c t=1796062038617.9; result text=r call=c t=1796062038617.9 error; "
         "call server=o tool=read t=1796062038000.9; result t=1796062039000.9; "},
        {"otlp", /* what the SDKs of Python and JavaScript print */
         "{\n \"name\": \"tools/call read\",\n \"context\": {},\n \"start_time\": \"2026-11-30T18:00:38.5Z\",\n"
         " \"end_time\": \"2026-11-30T18:00:39.5Z\",\n \"attributes\": {\"gen_ai.tool.name\": \"read\", "
         "\"gen_ai.operation.name\": \"execute_tool\", \"gen_ai.tool.call.arguments\": \"{}\"}\n}\n"
         "{\"_spanContext\":{},\"name\":\"x\",\"startTime\":[1796061638,500000000],\"endTime\":[1796061639,0],"
         "\"attributes\":{\"mcp.method.name\":\"tools/call\",\"gen_ai.tool.name\":\"read\",\"mcp.session.id\":\"s\"}}"
         "{\"hrTime\":[1,2],\"attributes\":{}}",
         "call text={} tool=read t=1796061638500.1; result t=1796061639500.1; "
         "call tool=read session=s t=1796061638500.9; result session=s t=1796061639000.9; "
         "noise telemetry; "},
        {"pi",
         "{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/\",\"modelId\":\"m\"}\n"
         "{\"type\":\"message\",\"timestamp\":\"2025-12-08T22:41:09Z\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"t\",\"name\":\"read\",\"arguments\":{}}]}}\n"
         "{\"type\":\"message\",\"message\":{\"role\":\"toolResult\",\"toolCallId\":\"t\",\"toolName\":\"read\",\"content\":\"r\",\"isError\":true}}\n"
         "{\"type\":\"compaction\",\"summary\":\"so far\"}\n",
         "noise metadata; call text={} tool=read call=t session=s t=1765233669000.0; "
         "result text=r call=t session=s error; reset session=s compaction; assistant text=so far session=s; "},
        {"managed-agents",
         "[\"client.beta.sessions.create\",{\"id\":\"s\"}]\n"
         "[\"client.beta.sessions.events.stream\",{\"type\":\"agent.mcp_tool_use\",\"id\":\"e\",\"input\":{},\"mcp_server_name\":\"exa\",\"name\":\"web\"}]\n"
         "[\"client.beta.sessions.events.stream\",{\"type\":\"agent.mcp_tool_result\",\"mcp_tool_use_id\":\"e\",\"content\":[]}]\n",
         "noise request; call text={} server=exa tool=web call=e session=s; result text=[] call=e session=s; "},
    };
    expect(examples, COUNT_OF(examples));
}

Test(readers, exchanges)
{
    static const struct example examples[] = {
        {"har",
         "{\"log\":{\"entries\":[{\"startedDateTime\":\"2026-11-30T18:01:24Z\",\"time\":67,\"request\":{\"url\":\"http://h:1/mcp\",\"headers\":[],"
         "\"postData\":{\"text\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"ping\\\"}\"}},"
         "\"response\":{\"headers\":[{\"name\":\"Mcp-Session-Id\",\"value\":\"q\"}],\"content\":{\"text\":\"event: message\\ndata: {\\\"jsonrpc\\\":\\\"2.0\\\",\\ndata: \\\"id\\\":1,\\\"result\\\":{}}\\n\\ndata:\\n\\n"
         "data: {\\\"jsonrpc\\\":\\\"2.0\\\",\\\"method\\\":\\\"a/b\\\"}\\n\\n\"}}},{\"request\":{\"url\":\"https://x/.well-known\"}}]}}",
         "noise document; message c2s request method=ping id=1 on=q t=1796061684000.0; "
         "message s2c result id=1 on=q t=1796061684067.0; message s2c notification method=a/b on=q t=1796061684067.0; "
         "other on=x; noise document; "},
        {"mcp-recorder",
         "{\"metadata\":{},\"interactions\":[{\"request\":" CALL ",\"response\":" ANSWER
         "},{\"response\":null}]}",
         "noise document; message c2s request method=tools/call id=1; message s2c result id=1; noise json; noise document; "},
        {"inspector",
         "[{\"origin\":\"client\",\"direction\":\"request\",\"message\":" CALL
         ",\"response\":" ANSWER "}]",
         "noise document; message c2s request method=tools/call id=1; message s2c result id=1; noise document; "},
    };
    expect(examples, COUNT_OF(examples));
}

Test(readers, gateways)
{
    static const struct example examples[] = {
        {"mcp-remote",
         "[2026-11-30T17:59:51Z][17] Starting mcp-remote with server URL: http://h/mcp \n"
         "[2026-11-30T17:59:51Z][17] [Local→Remote] tools/call\n"
         "[2026-11-30T17:59:51Z][17] Local → Remote message "
         "{\"method\":\"tools/call\",\"id\":4,\"params\":\"{\\\"name\\\":\\\"echo\\\"}\"}\n"
         "    at somewhere\n"
         "[2026-11-30T17:59:52Z][17] Remote → Local message {\"id\":4,\"result\":\"result-present\"}\n"
         "[2026-11-30T17:59:52Z][17] Local → Remote message "
         "{\"method\":\"tools/call\",\"id\":5,\"params\":\"{\\\"name\\\":\\\"ec\"}\n"
         "[2026-11-30T17:59:52Z][17] Local → Remote message {\"id\"\n",
         "start text=Starting mcp-remote with server URL: http://h/mcp on=17 t=1796061591000.0; "
         "noise repeated; message c2s request method=tools/call id=4 on=17 t=1796061591000.0; "
         "noise stack traces and printed objects; "
         "message s2c result id=4 on=17 t=1796061592000.0 truncated; "
         "message c2s request method=tools/call id=5 on=17 t=1796061592000.0 truncated; "
         "bad at 52: no message as mcp-remote prints it; "},
        {"supergateway",
         "[supergateway] Starting...\n"
         "[supergateway] StreamableHttp → Child: " CALL "\n"
         "[supergateway] Child → SSE (session q): " ANSWER "\n"
         "[supergateway] Child stderr: hello\n"
         "[supergateway] Child → SSE: { jsonrpc: '2.0', id: 1 }\n"
         "more\n",
         "start text=Starting...; message c2s request method=tools/call id=1; "
         "message s2c result id=1 on=q; stderr text=hello; bad at 30: a message that is printed as an "
         "object of JavaScript, not as JSON; noise text; "},
        {"mcp-proxy",
         "transport event {\n"
         "  chunk: '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\\\\n\\'\"}}\\n' +\n"
         "    `{\"jsonrpc\":\"2.0\",\"method\":\"a/b\"}\\n`,\n"
         "  message: { jsonrpc: '2.0', id: 1 },\n"
         "  chunk: '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"a\":\"x'... 9 more characters,\n"
         "[mcp-proxy] establishing\n",
         "noise printed objects; message s2c result id=1; (11 noise printed objects) "
         "message s2c notification method=a/b; (5 noise printed objects) noise printed objects; "
         "message s2c result id=2 truncated; (31 noise printed objects) other; "},
        {"agentgateway",
         "2026-06-10T21:03:31.579Z info request gateway=d/b listener=l http.status=200 protocol=mcp "
         "mcp.method.name=tools/call mcp.target=web gen_ai.tool.name=fetch mcp.session.id=s duration=8ms\n"
         "2026-06-10T21:03:31.579Z info request gateway=d/b http.status=403 error=\"no = token\" "
         "mcp.method=tools/call mcp.resource.name=fetch\n"
         "2026-06-10T21:03:31Z info request gateway=d/b mcp.method=tools/list\n2026 else\n",
         "call server=web tool=fetch session=s t=1781125411579.3 truncated; "
         "result server=web session=s t=1781125411587.3 truncated; "
         "call tool=fetch t=1781125411579.3 truncated; result t=1781125411579.3 error truncated; "
         "other t=1781125411000.0; noise text; "},
        {"access-log",
         "{\"start_time\":\"2026-06-10T21:03:31.579Z\",\"response_code\":200,\"duration\":5,"
         "\"mcp.method.name\":\"tools/call\",\"mcp.tool.name\":\"fetch\",\"mcp.provider.name\":\"web\","
         "\"mcp.session.id\":\"-\",\"jsonrpc.request.id\":\"7\"}\n"
         "[2026-06-10T21:03:31.579Z] \"POST /mcp HTTP/1.1\" 200 - 1 2\nx\n{\"a\":\n",
         "call server=web tool=fetch call=7 t=1781125411579.3 truncated; "
         "result server=web call=7 t=1781125411584.3 truncated; other t=1781125411579.3; noise text; "
         "bad at 0: no JSON; "},
    };
    expect(examples, COUNT_OF(examples));
}

/* ---- detection ---- */

Test(readers, detection)
{
    static const struct {
        const char *head, *name;
    } cases[] = {
        {"Starting\nserver ready\n" CALL "\n" ANSWER "\n", "jsonrpc-lines"},
        {"2026-11-30T17:56:17.088Z --> " CALL "\n", "jsonrpc-lines"},
        {"{\"ts\":1,\"dir\":\"c2s\",\"msg\":" CALL "}\n", "jsonrpc-envelope"},
        {"{\n \"jsonrpc\": \"2.0\",\n \"id\": 1,\n \"result\": {}\n}\n", "jsonrpc-values"},
        {"npm warn\n2025-02-22T04:14:49.196Z [fs] [info] Message from client: " CALL "\n",
         "claude-desktop"},
        {"{\"type\":\"summary\",\"leafUuid\":\"x\",\"summary\":\"t\"}\n" LINE(
             "user",
             "\"uuid\":\"a\",\"parentUuid\":null,\"message\":{\"role\":\"user\",\"content\":\"hi\"}"),
         "claude-code"},
        {"{\"suite_name\":\"bank\",\"pipeline_name\":\"m\",\"messages\":[]}", "agentdojo"},
        {"[{\"role\":\"user\",\"content\":\"u\"}]", "messages-array"},
        {"{\"model\":\"x\",\"messages\":[{\"role\":\"user\",\"content\":\"u\"}]}\n", "messages"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"u\"}]}\n"
         "{\"messages\":[{\"role\":\"user\",\"content\":\"u\"}]}\n",
         "messages-jsonl"},
        {START("a", "0", "") OF("a", "1", "\"dir\":\"c2s\",\"msg\":" CALL), "capture"},
        {"\"tail of a record\"}\n" OF("a", "8", "\"dir\":\"c2s\",\"msg\":" CALL)
             OF("a", "9", "\"dir\":\"s2c\",\"msg\":" ANSWER),
         "capture"},
        {"{\"timestamp\":\"t\",\"type\":\"session_meta\",\"payload\":{}}\n", "codex"},
        {"{\"type\":\"thread.started\",\"thread_id\":\"x\"}\n", "codex"},
        {"{\"sessionId\":\"s\",\"projectHash\":\"h\"}\n{\"$set\":{}}\n", "gemini"},
        {"{\"sessionId\":\"s\",\n\"projectHash\":\"h\",\n\"messages\":[]}", "gemini-json"},
        {"{\"type\":\"init\",\"timestamp\":\"t\",\"session_id\":\"s\"}\n", "gemini-stream"},
        {"[{\"ts\":1,\"type\":\"say\",\"say\":\"text\",\"text\":\"x\"}]", "cline"},
        {"2026-03-02 10:11:12.345 [trace] [editor -> server] " CALL "\n", "vscode"},
        {"{\"log\":{\"version\":\"1.2\",\"entries\":[]}}", "har"},
        {"{\"metadata\":{},\"interactions\":[]}", "mcp-recorder"},
        {"[{\"direction\":\"request\",\"message\":{},\"timestamp\":1}]", "inspector"},
        {"{\"info\":{\"directory\":\"/\"},\"messages\":[{\"info\":{},\"parts\":[]}]}", "opencode"},
        {"{\"type\":\"text\",\"timestamp\":1,\"sessionID\":\"s\",\"part\":{}}\n",
         "opencode-stream"},
        {"[2026-11-30T17:59:51Z][17] Starting mcp-remote with\n", "mcp-remote"},
        {"[supergateway] Starting...\n", "supergateway"},
        {"transport event {\n  chunk: 'x'\n}\n", "mcp-proxy"},
        {"2026-06-10T21:03:31Z info request gateway=d/b mcp.method=tools/list\n", "agentgateway"},
        {"{\"response_code\":200,\"mcp.method.name\":\"tools/call\"}\n", "access-log"},
        {"[2026-06-10T21:03:31.579Z] \"POST /mcp HTTP/1.1\" 200 - 1 2\n", "access-log"},
        {"{\n \"name\": \"x\",\n \"start_time\": \"t\",\n \"attributes\": {}\n}\n{}", "otlp"},
        {"nothing known\n", "scan"},
        {"[proxy] sent: " CALL "\n", "scan"},
        {"", "scan"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct probe best;
        const struct reader *reader = reader_detect(span_of(cases[i].head), SPAN("x"), true, &best);
        cr_expect_str_eq(reader->name, cases[i].name, "%s: %s, %s", cases[i].head, reader->name,
                         best.reason);
    }
}

Test(readers, table)
{
    for (size_t i = 0; i < reader_count(); i++) {
        const struct reader *reader = reader_at(i);
        cr_assert_eq(reader_find(span_of(reader->name)), reader);
        cr_expect(reader->title && reader->probe && reader->read, "%s", reader->name);
        cr_expect(reader->cannot_show && reader->cannot_show[0], "%s", reader->name);
        cr_expect(!reader->open || reader->close, "%s", reader->name);
    }
    cr_assert_null(reader_find(SPAN("no-such")));
}

/* Whatever text it is: messages are found where they stand, also in strings. */
Test(readers, messages_inside_of_any_text)
{
    static const struct example examples[] = {
        {"scan",
         "{`log`:[{`dir`:`out`,`m`:{`jsonrpc`:`2.0`,`id`:1,`method`:`ping`,`params`:{`jsonrpc`:1}}},"
         "{`m`:{`jsonrpc`:`2.0`,`id`:1,`result`:{}}},{`jsonrpc`:{}}]}\n",
         "message request method=ping id=1; message result id=1; (50 noise text) "},
        {"scan",
         "level=debug msg=`got` payload=`{\\`jsonrpc\\`:\\`2.0\\`,\\`id\\`:2,\\`method\\`:\\`ping\\`}`\n"
         "level=debug payload=`jsonrpc\\` `{\\`jsonrpc\\`\n",
         "message request method=ping id=2; (30 noise text) noise text; "},
        {"scan", /* the file ends inside of the second */
         "{`all`:[{`jsonrpc`:`2.0`,`id`:1,`method`:`ping`},{`jsonrpc`:`2.0`,`id`",
         "message request method=ping id=1; (48+22 bad: the file ends inside this text) "
         "(8 noise text) "},
        {"jsonrpc-envelope",
         "{`seq`:2,`direction`:`server_to_client`,`raw`:`{\\`jsonrpc\\`:\\`2.0\\`,\\`id\\`:3,"
         "\\`result\\`:{\\`con`,`truncated`:true}\n"
         "{`seq`:2,`direction`:`server_to_client`,`raw`:`{\\`con`,`truncated`:true}\n",
         "message s2c result id=3 truncated; noise json; "},
        {"jsonrpc-lines",
         "1770228027.5 C->S {`jsonrpc`:`2.0`,`method`:`x`}\n"
         "[2026/02/04 18:00:27] S->C: {`jsonrpc`:`2.0`,`method`:`x`}\n"
         "1770228027500 {`jsonrpc`:`2.0`,`method`:`x`}\n17702280275 {`jsonrpc`:`2.0`,`method`:`x`}\n",
         "message c2s notification method=x t=1770228027500.1; "
         "message s2c notification method=x t=1770228027000.0; "
         "message notification method=x t=1770228027500.3; "
         "message notification method=x; (12 noise text) "},
        {"jsonrpc-envelope",
         "{`timestamp`:`2026-02-04T18:00:27Z`,`jsonPayload`:{`body`:{`jsonrpc`:`2.0`,`method`:`x`}}}\n",
         "message notification method=x t=1770228027000.0; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
    cr_expect_str_eq(
        detected("2026-03-01 10:00:00,123 DEBUG c2s: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n"),
        "scan");
}

Test(readers, har_of_a_socket)
{
    static const struct example examples[] = {
        {"har",
         "{`log`:{`entries`:[{`request`:{`url`:`wss://h/m`},`response`:{},`_webSocketMessages`:["
         "{`type`:`send`,`time`:1770228027.5,`data`:`{\\`jsonrpc\\`:\\`2.0\\`,\\`id\\`:1,"
         "\\`method\\`:\\`ping\\`}`},{`type`:`receive`,`time`:1770228028,`data`:"
         "`{\\`jsonrpc\\`:\\`2.0\\`,\\`id\\`:1,\\`result\\`:{}}`},{`type`:`receive`,`data`:`x`}]}]}}",
         "noise document; message c2s request method=ping id=1 on=h t=1770228027500.1; "
         "message s2c result id=1 on=h t=1770228028000.0; noise document; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}
