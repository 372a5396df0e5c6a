/* Readers of hosts and frameworks, on logs that we wrote in their shape. ` stands for ". */
#include <stdlib.h>

#include "ingest/places.h"
#include "tests/unit/reader_support.h"

Test(readers_hosts, cursor)
{
    static const struct example examples[] = {
        {"cursor",
         "2026-02-04 18:00:27.377 [info] Handling CallTool action for tool 'log' with toolCallId: "
         "call_a\nfc_b\n"
         "2026-02-04 18:00:27.386 [info] Calling tool 'log' with toolCallId: call_a\nfc_b\n"
         "2026-02-04 18:00:27.400 [info] Calling tool 'log' with toolCallId: call_c\n"
         "2026-02-04 18:00:28.330 [info] Successfully called tool 'log'\n"
         "2026-02-04 18:00:28.331 [error] Error calling tool 'log': MCP error -32000: closed\n"
         "2026-02-04 18:00:28.332 [info] Found 3 tools\nTraceback\n\n"
         "2026-02-04 18:00:29.000 [info] Successfully called tool 'never'\n",
         "noise progress; noise continued; "
         "call server=github tool=log call=call 1 t=1770228027386.3; noise continued; "
         "call server=github tool=log call=call 2 t=1770228027400.3; "
         "result server=github tool=log call=call 1 t=1770228028330.3; "
         "result text=MCP error -32000: closed server=github tool=log call=call 2 "
         "t=1770228028331.3 error; "
         "other server=github t=1770228028332.3; other; "
         "result server=github tool=never call=unseen t=1770228029000.3; "},
        {"cursor", "2026-02-04 18:00:28.330 [info] Calling tool '\n[x\n",
         "other server=github t=1770228028330.3; other; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, tool_events)
{
    static const struct example examples[] = {
        {"tool-events",
         "{`ts`:`2026-02-04T18:00:27Z`,`event`:`tool.call`,`call_id`:`a`,`tool`:`mcp__mail__send`,"
         "`arguments`:{`to`:`x`},`session_id`:`s`}\n"
         "{`ts`:1770228028,`event`:`policy.decision`,`call_id`:`a`,`decision`:`DENY`,"
         "`reason`:`not trusted`,`session_id`:`s`}\n"
         "{`ts`:1770228029,`event`:`tool.result`,`data`:{`call_id`:`a`,`result`:`stopped`},"
         "`session_id`:`s`}\n"
         "{`event`:`tool.call`,`id`:7,`tool`:`read`,`server`:`fs`}\n"
         "{`event`:`policy.decision`,`id`:7,`allowed`:true}\n"
         "{`event`:`tool.result`,`id`:7,`error`:`no such file`,`truncated`:true,`redacted`:true}\n"
         "{`event`:`run.end`}\n{`ts`:1}\n{`event`:\n",
         "call text={`to`:`x`} server=mail tool=send call=a session=s t=1770228027000.0; "
         "result text=not trusted call=a session=s t=1770228028000.0 error refused; "
         "result text=stopped call=a session=s t=1770228029000.0 error refused; "
         "call server=fs tool=read call=7; other call=7; "
         "result text=no such file call=7 error truncated redacted; other; noise json; "
         "bad at 9: the JSON text ends inside a value; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, openhands)
{
    static const struct example examples[] = {
        {"openhands",
         "[{`id`:0,`timestamp`:`2026-02-04T18:00:27`,`source`:`agent`,`action`:`system`,`args`:"
         "{`content`:`be`}},{`id`:1,`source`:`user`,`action`:`message`,`args`:{`content`:`hi`}},"
         "{`id`:2,`source`:`agent`,`action`:`run`,`args`:{`command`:`ls`,`thought`:`look`}},"
         "{`id`:3,`cause`:2,`source`:`agent`,`observation`:`run`,`content`:`a.txt`,`extras`:{}},"
         "{`id`:4,`source`:`agent`,`action`:`call_tool_mcp`,`args`:{`name`:`get`,`arguments`:{`n`:1}}},"
         "{`id`:5,`cause`:4,`source`:`user`,`observation`:`user_rejected`,`content`:`no`,`extras`:{}},"
         "{`id`:6,`source`:`environment`,`observation`:`agent_state_changed`,`content`:``,`extras`:{}},"
         "{`id`:7,`source`:`agent`,`action`:`condensation`,`args`:{}},"
         "{`id`:8,`source`:`agent`,`action`:`finish`,`args`:{`final_thought`:`done`}},{`id`:9},7]",
         "noise document; prompt text=be t=1770228027000.0 system; prompt text=hi; "
         "assistant text=look; call text={`command`:`ls`,`thought`:`look`} tool=run call=event 2; "
         "result text=a.txt call=event 2; call text={`n`:1} tool=get call=event 4; "
         "result text=no call=event 4 error refused; noise state; reset compaction; "
         "assistant text=done; noise json; bad at 0: no JSON object; noise document; "},
        {"openhands-events",
         "{`kind`:`SystemPromptEvent`,`source`:`agent`,`system_prompt`:{`type`:`text`,`text`:`be`}}\n"
         "{`kind`:`MessageEvent`,`source`:`user`,`llm_message`:{`content`:[{`type`:`text`,`text`:`hi`}]}}\n"
         "{`kind`:`ActionEvent`,`source`:`agent`,`thought`:[{`type`:`text`,`text`:`look`}],"
         "`tool_name`:`get`,`tool_call_id`:`c`,`tool_call`:{`arguments`:`{\\`n\\`:1}`},`action`:{}}\n"
         "{`kind`:`ObservationEvent`,`source`:`environment`,`tool_name`:`get`,`tool_call_id`:`c`,"
         "`observation`:{`content`:[{`text`:`r`}],`is_error`:true}}\n"
         "{`kind`:`UserRejectObservation`,`tool_call_id`:`d`,`rejection_reason`:`no`}\n"
         "{`kind`:`AgentErrorEvent`,`tool_call_id`:`e`,`error`:`bad`}\n"
         "{`kind`:`Condensation`}\n{`kind`:`TokenEvent`}\n{`a`:1}\n{`kind`:",
         "prompt text=be system; prompt text=hi; assistant text=look; "
         "call text=`{\\`n\\`:1}` tool=get call=c; "
         "result text=[{`text`:`r`}] tool=get call=c error; "
         "result text=no call=d error refused; result text=bad call=e error; reset compaction; "
         "noise state; noise json; bad at 8: the JSON text ends inside a value; "},
        {"openhands-events",
         "{`instance_id`:`i`,`history`:[[{`id`:1,`source`:`agent`,`action`:`read`,`args`:{`path`:`p`}},"
         "{`cause`:1,`source`:`agent`,`observation`:`read`,`content`:`t`,`extras`:{}}],"
         "{`id`:3,`source`:`agent`,`action`:`think`,`args`:{`thought`:`x`}}]}",
         "call text={`path`:`p`} tool=read call=event 1 session=i; "
         "result text=t call=event 1 session=i; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, swe_agent)
{
    static const struct example examples[] = {
        {"swe-agent",
         "{`environment`:`e`,`trajectory`:[{`action`:`ls\\n`,`observation`:`a`,`response`:`look`,"
         "`thought`:`look`,`query`:[{`role`:`system`,`content`:`be`},{`role`:`user`,`is_demo`:true,"
         "`content`:`demo`},{`role`:`user`,`content`:`issue`}]},{`action`:``,`observation`:`say how`,"
         "`response`:``,`query`:[{`role`:`user`,`content`:`again`}]},{`action`:`submit`,"
         "`observation`:null,`thought`:`end`},{}],`history`:[],`info`:{}}",
         "noise document; prompt text=be system; prompt text=issue; assistant text=look; "
         "call text=`ls\\n` tool=shell call=step 1; result text=a call=step 1; "
         "prompt text=say how system; assistant text=end; call text=submit tool=shell call=step 2; "
         "noise empty; noise document; "},
        {"swe-agent-history",
         "{`trajectory`:[{`action`:`ls`,`observation`:`a`,`response`:`look`}],`history`:["
         "{`role`:`system`,`content`:`be`},{`role`:`user`,`content`:`demo`,`is_demo`:true},"
         "{`role`:`user`,`content`:`issue`},{`role`:`assistant`,`content`:`look`,`action`:`ls`},"
         "{`role`:`user`,`content`:`a`},{`role`:`user`,`content`:`more`}",
         "noise document; prompt text=be system; noise demonstration; prompt text=issue; "
         "assistant text=look; call text=ls tool=shell call=step 1; result text=a call=step 1; "
         "prompt text=more; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, invariant)
{
    static const struct example examples[] = {
        {"invariant",
         "[{`role`:`user`,`content`:`hi`},{`role`:`assistant`,`content`:null,`tool_calls`:[{`id`:`c`,"
         "`type`:`function`,`function`:{`name`:`get`,`arguments`:{`n`:1}}}]},{`role`:`tool`,"
         "`tool_call_id`:`c`,`content`:`r`}]\n"
         "{`id`:`t`,`index`:1,`messages`:[{`role`:`user`,`content`:`ho`,"
         "`timestamp`:`2026-02-04T18:00:27Z`}],`annotations`:[]}\n{}\n[{`role`\n",
         "prompt text=hi session=/logs/MCP user-github.log line 1; call text={`n`:1} tool=get call=c session=/logs/MCP user-github.log line 1; "
         "result text=r call=c session=/logs/MCP user-github.log line 1; prompt text=ho session=t t=1770228027000.0; "
         "noise empty; bad at 8: the JSON text ends inside a value; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

/* The texts of all records; those off the path of the conversation with a '-' in front. */
static const char *paths(const char *name, const char *written, struct buf *said)
{
    enum { MOST = 64 };
    struct buf lines = {0}, texts[MOST] = {{0}};
    uint32_t nodes[MOST];
    size_t count = 0;
    const struct reader *reader = reader_find(span_of(name));
    void *state = reader->open(SPAN(""));
    struct outlet out;
    outlet_init(&out);
    for (struct span rest = span_of(quoted(written, &lines)); rest.len;) {
        struct unit unit = {.text = span_sub(rest, 0, span_find_byte(rest, '\n'))};
        rest = span_sub(rest, unit.text.len + 1, rest.len);
        outlet_clear(&out);
        reader->read(state, &unit, &out);
        for (size_t i = 0; i < out.count && count < MOST; i++) {
            buf_puts(&texts[count], out.records[i].kind == RECORD_RESET ? "reset" : "");
            buf_add(&texts[count], out.records[i].payload);
            nodes[count++] = out.records[i].node;
        }
    }
    buf_clear(said);
    for (size_t i = 0; i < count; i++) {
        buf_addf(said, "%s%s ", reader->abandoned(state, nodes[i]) ? "-" : "", buf_cstr(&texts[i]));
        buf_finish(&texts[i]);
    }
    reader->close(state);
    outlet_finish(&out);
    buf_finish(&lines);
    return buf_cstr(said);
}

#define SAYS(id, type, text)                                                                       \
    "{`id`:`" id "`,`timestamp`:`t`,`type`:`" type "`,`content`:`" text "`}\n"
#define ASKS(text)                                                                                 \
    "{`type`:`response_item`,`payload`:{`type`:`message`,`role`:`user`,`content`:[{`type`:"        \
    "`input_text`,`text`:`" text "`}]}}\n"
#define ANSWERS(text)                                                                              \
    "{`type`:`response_item`,`payload`:{`type`:`message`,`role`:`assistant`,`content`:[{`type`:"   \
    "`output_text`,`text`:`" text "`}]}}\n"
#define UNDOES(n) "{`type`:`event_msg`,`payload`:{`type`:`thread_rolled_back`,`num_turns`:" n "}}\n"

/* What was undone, or written again, is told, and told to be so. */
Test(readers_hosts, undone)
{
    static const struct {
        const char *name, *lines, *said;
    } cases[] = {
        {"gemini", SAYS("1", "user", "a") SAYS("2", "gemini", "b") SAYS("2", "gemini", "b c"),
         "a -b b c "},
        {"gemini",
         SAYS("1", "user", "a")
             SAYS("2", "gemini", "b") "{`$rewindTo`:`2`}\n" SAYS("3", "gemini", "c"),
         "a -b c "},
        {"gemini",
         SAYS("1", "user", "a")
             SAYS("2", "gemini", "b") "{`$rewindTo`:`1`}\n" SAYS("3", "user", "c"),
         "-a -b c "},
        {"gemini", SAYS("1", "user", "a") SAYS("2", "gemini", "b") "{`$rewindTo`:`2`}\n", "a -b "},
        {"gemini", SAYS("1", "user", "a") "{`$rewindTo`:`x`}\n" SAYS("3", "user", "c"), "-a c "},
        {"gemini",
         SAYS("1", "user",
              "a") "{`$set`:{`messages`:[{`id`:`9`,`type`:`user`,`content`:`sum`}]}}\n" SAYS("3",
                                                                                             "user",
                                                                                             "c"),
         "a reset sum c "},
        {"pi",
         "{`type`:`session`,`id`:`s`,`cwd`:`/`,`modelId`:`m`}\n"
         "{`type`:`message`,`id`:`1`,`parentId`:null,`message`:{`role`:`user`,`content`:`a`}}\n"
         "{`type`:`message`,`id`:`2`,`parentId`:`1`,`message`:{`role`:`assistant`,`content`:`b`}}\n"
         "{`type`:`message`,`id`:`3`,`parentId`:`2`,`message`:{`role`:`user`,`content`:`c`}}\n"
         "{`type`:`message`,`id`:`4`,`parentId`:`2`,`message`:{`role`:`user`,`content`:`d`}}\n"
         "{`type`:`message`,`message`:{`role`:`user`,`content`:`e`}}\n",
         "a b -c d e "},
        {"codex", ASKS("a") ANSWERS("b") UNDOES("1") ASKS("c") ANSWERS("d"),
         "-a -b "
         "-{`type`:`thread_rolled_back`,`num_turns`:1} c d "},
        {"codex", ASKS("a") ASKS("b") ASKS("c") UNDOES("2"),
         "a -b -c "
         "-{`type`:`thread_rolled_back`,`num_turns`:2} "},
        {"codex", ASKS("a") UNDOES("99") ASKS("<environment_context>") ANSWERS("b"),
         "-a -{`type`:`thread_rolled_back`,`num_turns`:99} <environment_context> b "},
    };
    struct buf said = {0}, wanted = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_str_eq(paths(cases[i].name, cases[i].lines, &said),
                         quoted(cases[i].said, &wanted), "%zu: %s", i, buf_cstr(&said));
    buf_finish(&said);
    buf_finish(&wanted);
}

Test(readers_hosts, refusals)
{
    static const struct example examples[] = {
        {"codex",
         "{`type`:`session_meta`,`payload`:{`id`:`s`,`instructions`:`be`}}\n"
         "{`type`:`session_meta`,`payload`:{`id`:`other`,`instructions`:`be`}}\n"
         "{`type`:`event_msg`,`payload`:{`type`:`mcp_tool_call_end`,`call_id`:`c`,`invocation`:"
         "{`server`:`o`,`tool`:`x`,`arguments`:{}},`result`:{`Err`:`user rejected MCP tool call`}}}\n"
         "{`type`:`item.completed`,`item`:{`id`:`d`,`type`:`mcp_tool_call`,`server`:`o`,`tool`:`x`,"
         "`arguments`:{},`error`:{`message`:`user rejected MCP tool call`},`status`:`failed`}}\n"
         "{`type`:`response_item`,`payload`:{`type`:`function_call_output`,`call_id`:`e`,"
         "`output`:`exec command rejected by user`}}\n"
         "{`type`:`response_item`,`payload`:{`type`:`function_call_output`,`call_id`:`f`,"
         "`output`:`it said: exec command rejected by user`}}\n",
         "prompt text=be session=s system; other session=s; "
         "call text={} server=o tool=x call=c session=s; "
         "result text=user rejected MCP tool call call=c session=s error refused; "
         "call text={} server=o tool=x call=d session=s; "
         "result text={`message`:`user rejected MCP tool call`} call=d session=s error refused; "
         "result text=exec command rejected by user call=e session=s error refused; "
         "result text=it said: exec command rejected by user call=f session=s; "},
        {"cline",
         "[{`ts`:1764529200000,`type`:`ask`,`ask`:`use_mcp_server`,`text`:`{\\`serverName\\`:\\`g\\`,"
         "\\`toolName\\`:\\`log\\`}`},{`say`:`user_feedback`,`text`:`no`},"
         "{`say`:`api_req_started`,`text`:`x`},{`ask`:`use_mcp_server`,`text`:`{\\`serverName\\`:\\`g\\`,"
         "\\`toolName\\`:\\`log\\`}`},{`say`:`mcp_server_request_started`},"
         "{`say`:`api_req_started`,`text`:`x`},{`say`:`tool`,`text`:`{\\`tool\\`:\\`readFile\\`}`},"
         "{`say`:`tool`,`text`:`{\\`tool\\`:\\`readFile\\`}`}]",
         "noise document; "
         "call text=`{\\`serverName\\`:\\`g\\`,\\`toolName\\`:\\`log\\`}` server=g tool=log call=mcp-1 "
         "t=1764529200000.3; prompt text=no; result call=mcp-1 error refused; "
         "call text=`{\\`serverName\\`:\\`g\\`,\\`toolName\\`:\\`log\\`}` server=g tool=log call=mcp-2; "
         "noise empty; noise progress; call text=`{\\`tool\\`:\\`readFile\\`}` tool=readFile call=host-1; "
         "call text=`{\\`tool\\`:\\`readFile\\`}` tool=readFile call=host-2; noise document; "},
        {"opencode-stream",
         "{`type`:`tool_use`,`timestamp`:1796062129874,`sessionID`:`s`,`part`:{`type`:`tool`,"
         "`tool`:`git_log`,`callID`:`c`,`state`:{`status`:`error`,`input`:{},`error`:"
         "`The user rejected permission to use this specific tool call.`}}}\n",
         "call text={} server=git tool=log call=c session=s t=1796062129874.3; "
         "result text=The user rejected permission to use this specific tool call. call=c session=s "
         "t=1796062129874.3 error refused; "},
        {"claude-code",
         "{`type`:`user`,`sessionId`:`s`,`uuid`:`c`,`message`:{`content`:[{`type`:`tool_result`,"
         "`tool_use_id`:`t`,`content`:[{`type`:`text`,`text`:`The user doesn't want to proceed with "
         "this tool use.`}],`is_error`:true}]}}\n"
         "{`type`:`user`,`sessionId`:`s`,`uuid`:`d`,`message`:{`content`:[{`type`:`tool_result`,"
         "`tool_use_id`:`u`,`content`:`<persisted-output>\\nOutput too large`}]}}\n",
         "result text=[{`type`:`text`,`text`:`The user doesn't want to proceed wit call=t "
         "session=s error refused; "
         "result text=`<persisted-output>\\nOutput too large` call=u session=s truncated; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

/* What a provider says of MCP servers that it called itself. */
Test(readers_hosts, provider_calls)
{
    static const struct example examples[] = {
        {"messages-jsonl",
         "{`role`:`assistant`,`content`:[{`type`:`mcp_list_tools`,`server_label`:`docs`,`tools`:"
         "[{`name`:`find`}]},{`type`:`mcp_approval_request`,`id`:`r`,`name`:`find`},"
         "{`type`:`mcp_call`,`id`:`m`,`name`:`find`,`server_label`:`docs`,`arguments`:`{}`,"
         "`output`:`r`,`error`:null},{`type`:`mcp_call`,`id`:`n`,`name`:`find`,`server_label`:"
         "`docs`,`arguments`:`{}`,`output`:null,`error`:`no`},{`type`:`mcp_tool_use`,`id`:`t`,"
         "`name`:`get`,`server_name`:`web`,`input`:{}},{`type`:`mcp_tool_result`,`tool_use_id`:`t`,"
         "`is_error`:false,`content`:[{`type`:`text`,`text`:`x`}]}]}\n",
         "definitions text=[{`name`:`find`}] server=docs; other; "
         "call text={} server=docs tool=find call=m; result text=r call=m; "
         "call text={} server=docs tool=find call=n; result text=no call=n error; "
         "call text={} server=web tool=get call=t; "
         "result text=[{`type`:`text`,`text`:`x`}] call=t; "},
        {"codex",
         "{`type`:`function_call_output`,`call_id`:`c`,`output`:`a\u202612 tokens truncated\u2026b`}\n",
         "result text=a\u202612 tokens truncated\u2026b call=c truncated; "},
        {"gemini",
         "{`id`:`1`,`timestamp`:`t`,`type`:`gemini`,`toolCalls`:[{`id`:`c`,`name`:`mcp_o_x`,`args`:{},"
         "`status`:`success`,`result`:`Output too large. Showing the first 9 of 99 characters`}]}\n",
         "call text={} server=o tool=x call=c; "
         "result text=Output too large. Showing the first 9 of 99 characters call=c truncated; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, messages_display)
{
    static const struct example examples[] = {
        {"messages-display",
         "{`messages_display`:`system: be\\nuser: hi\\nagain: x\\nassistant: None\\ntool: r\\n`}\n"
         "{`messages_display`:`no role\\nuser: a`}\n{`messages_display`:``}\n{`messages_display`:7}\n{\n",
         "prompt text=`system: be\\nuser: hi\\nagain: x\\nassistant: None\\ntool: r\\n` session=/logs/MCP user-github.log line 1 system; "
         "prompt text=`system: be\\nuser: hi\\nagain: x\\nassistant: None\\ntool: r\\n` session=/logs/MCP user-github.log line 1; "
         "result text=`system: be\\nuser: hi\\nagain: x\\nassistant: None\\ntool: r\\n` call=not written "
         "session=/logs/MCP user-github.log line 1; prompt text=`no role\\nuser: a` session=/logs/MCP user-github.log line 2; noise json; noise json; "
         "bad at 1: the JSON text ends inside a value; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, goose)
{
    static const struct example examples[] = {
        {"goose",
         "{`role`:`assistant`,`created`:1764529200,`content`:[{`type`:`toolRequest`,`id`:`c`,"
         "`toolCall`:{`status`:`success`,`value`:{`name`:`git__log`,`arguments`:{`n`:1}}}},"
         "{`type`:`toolRequest`,`id`:`d`,`_meta`:{`goose_extension`:`a__b`},`toolCall`:{`value`:"
         "{`name`:`a__b__get`,`arguments`:{}}}},{`type`:`toolConfirmationRequest`,`id`:`d`}]}\n"
         "{`role`:`user`,`created`:1764529201,`content`:[{`type`:`toolResponse`,`id`:`c`,`toolResult`:"
         "{`status`:`success`,`value`:[{`type`:`text`,`text`:`The user has declined to run this "
         "tool.`}]}},{`type`:`toolResponse`,`id`:`d`,`toolResult`:{`status`:`success`,`value`:"
         "{`content`:[{`type`:`text`,`text`:`The user has declined to run this tool.`}]}}}]}\n"
         "{`role`:`assistant`,`created`:1764529202,`content`:[{`type`:`systemNotification`,`msg`:`x`}]}\n",
         "call text={`n`:1} server=git tool=log call=c t=1764529200000.0; "
         "call text={} server=a__b tool=get call=d t=1764529200000.0; other t=1764529200000.0; "
         "result text=[{`type`:`text`,`text`:`The user has declined to run this to call=c "
         "t=1764529201000.0; "
         "result text={`content`:[{`type`:`text`,`text`:`The user has declined to  call=d "
         "t=1764529201000.0 error refused; other t=1764529202000.0; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, inspect)
{
    static const struct example examples[] = {
        {"inspect",
         "{`version`:2,`eval`:{`run_id`:`R`,`model`:`m`},`plan`:{}}\n"
         "{\n`id`:`a`,`epoch`:1,`input`:`do`,`target`:``,`messages`:[{`role`:`user`,`content`:`do`},"
         "{`role`:`assistant`,`content`:`ok`,`tool_calls`:[{`id`:`c`,`function`:`get`,"
         "`arguments`:{`n`:1},`type`:`function`}]},{`role`:`tool`,`content`:``,`tool_call_id`:`c`,"
         "`error`:{`type`:`approval`,`message`:`no`}},{`role`:`assistant`,`content`:[{`type`:"
         "`tool_use`,`tool_type`:`mcp_call`,`id`:`p`,`name`:`find`,`context`:`docs`,"
         "`arguments`:`{}`,`result`:`r`,`error`:null}]}],`events`:[{`event`:`model`},"
         "{`event`:`tool`,`id`:`c`,`timestamp`:`2026-02-04T18:00:27+00:00`,"
         "`completed`:`2026-02-04T18:00:28+00:00`,`truncated`:[9,5]},{`event`:`approval`,`approver`:`human`,"
         "`decision`:`approve`,`call`:{`id`:`p`}}]}\n"
         "{`id`:2,`epoch`:1,`input`:`do`,`target`:``}\n{`id`:3,`ep",
         "noise metadata; prompt text=do session=R a epoch 1; "
         "assistant text=ok session=R a epoch 1; "
         "call text={`n`:1} tool=get call=c session=R a epoch 1 t=1770228027000.0; "
         "result text=`no` call=c session=R a epoch 1 t=1770228028000.0 error refused truncated; "
         "call text={} server=docs tool=find call=p session=R a epoch 1 approved; "
         "result text=r call=p session=R a epoch 1; "
         "prompt text=do session=R 2 epoch 1; bad at 11: the JSON text ends inside a value; "},
        {"inspect-json",
         "{`version`:2,`eval`:{`run_id`:`R`,`task`:`t`,`model`:`m`},`samples`:[{`id`:1,`epoch`:1,"
         "`messages`:[{`role`:`user`,`content`:`do`}]},{`x`:1}]}",
         "noise document; prompt text=do session=R 1 epoch 1; noise json; noise document; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

/* Told in order of time, whatever the order in the file; nothing twice. */
Test(readers_hosts, traces)
{
    static const struct example examples[] = {
        {"langfuse",
         "{`trace`:{`sessionId`:`s`},`observations`:["
         "{`id`:`g2`,`traceId`:`t`,`type`:`GENERATION`,`parentObservationId`:`r`,`name`:`m`,"
         "`startTime`:`2026-02-04T18:00:30Z`,`endTime`:`2026-02-04T18:00:31Z`,`input`:["
         "{`role`:`user`,`content`:`hi`},{`role`:`assistant`,`tool_calls`:[{`id`:`c`,`name`:`get`,"
         "`args`:{}}]},{`role`:`tool`,`tool_call_id`:`c`,`content`:`r`},"
         "{`role`:`user`,`content`:`hi`}],`output`:`done`},"
         "{`id`:`w`,`traceId`:`t`,`type`:`TOOL`,`parentObservationId`:`r`,`name`:`mcp__o__get`,"
         "`startTime`:`2026-02-04T18:00:29Z`,`endTime`:`2026-02-04T18:00:30Z`,"
         "`input`:`{\\`input\\`: {\\`n\\`:1}}`,`output`:{`content`:[]}},"
         "{`id`:`x`,`traceId`:`t`,`type`:`TOOL`,`name`:`put`,`level`:`ERROR`,`statusMessage`:`no`,"
         "`startTime`:`2026-02-04T18:00:32Z`,`input`:null},"
         "{`id`:`r`,`traceId`:`t`,`type`:`SPAN`,`name`:`run`,`startTime`:`2026-02-04T18:00:27Z`,"
         "`endTime`:`2026-02-04T18:00:40Z`,`input`:{`system`:`be`,`prompt`:`hi`},`output`:`done`}]}",
         "prompt text=be session=s t=1770228027000.0 system; "
         "prompt text=hi session=s t=1770228027000.0; "
         "call text=`{\\`input\\`: {\\`n\\`:1}}` server=o tool=get call=w session=s "
         "t=1770228029000.0; "
         "result text={`content`:[]} call=w session=s t=1770228030000.0; "
         "prompt text=hi session=s t=1770228030000.0; "
         "assistant text=done session=s t=1770228031000.0; "
         "call tool=put call=x session=s t=1770228032000.0; "
         "result text=no call=x session=s error; "},
        {"langfuse",
         "[{`id`:`a`,`traceId`:`t`,`type`:`TOOL`,`name`:`get`,`startTime`:`2026-02-04T18:00:29Z`,"
         "`input`:{},`output`:`r`},{`id`:`b`,`tr",
         "call text={} tool=get call=a session=t t=1770228029000.0; "
         "result text=r call=a session=t; "
         "(111+14 bad: the JSON text ends inside a value) "},
        {"langfuse", "{`observations`:7}", "noise telemetry; "},
        {"langsmith",
         "{`id`:`l`,`trace_id`:`t`,`run_type`:`llm`,`name`:`m`,`start_time`:`2026-02-04T18:00:27`,"
         "`end_time`:`2026-02-04T18:00:28`,`inputs`:{`messages`:[[{`lc`:1,`type`:`constructor`,"
         "`id`:[`HumanMessage`],`kwargs`:{`content`:`hi`}}]]},`outputs`:{`generations`:[[{`message`:"
         "{`lc`:1,`id`:[`AIMessage`],`kwargs`:{`type`:`ai`,`content`:`ok`,`tool_calls`:[{`id`:`c`,"
         "`name`:`get`,`args`:{`n`:1}}]}}}]]}}\n"
         "{`id`:\n"
         "{`id`:`c1`,`trace_id`:`t`,`run_type`:`chain`,`start_time`:`2026-02-04T18:00:29`,"
         "`inputs`:{},`child_runs`:[{`id`:`k`,`trace_id`:`t`,`run_type`:`llm`,`inputs`:{`messages`:["
         "{`role`:`user`,`content`:`hi`},{`role`:`tool`,`tool_call_id`:`c`,`content`:`r`}]},"
         "`outputs`:{`choices`:[{`message`:{`role`:`assistant`,`content`:`end`}}]},"
         "`start_time`:1770228030000}]}",
         "prompt text=hi session=t t=1770228027000.0; assistant text=ok session=t t=1770228028000.0; "
         "call text={`n`:1} tool=get call=c session=t t=1770228028000.0; "
         "result text=r call=c session=t t=1770228030000.3; assistant text=end session=t; "
         "(388+7 bad: no whole run) "},
        {"langsmith",
         "[{`id`:`k`,`run_type`:`tool`,`name`:`get`,`inputs`:{`input`:`{'n': 1}`},`outputs`:{`output`:"
         "{`type`:`tool`,`status`:`error`,`content`:`r`}},`start_time`:`2026-02-04T18:00:29`},"
         "{`id`:`h`,`run_type`:`tool`,`name`:`put`,`error`:`bad`,`inputs`:{`a`:1}},{`id",
         "call text={'n': 1} tool=get call=k t=1770228029000.0; "
         "result text=r call=k error; "
         "call text={`a`:1} tool=put call=h; result text=bad call=h error; "
         "(248+5 bad: the file ends inside this run) "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, places)
{
    static const struct {
        const char *pattern, *value, *text, *glob; /* glob NULL: there is no home */
    } cases[] = {
        {"~/a/*.log", NULL, "~/a/*.log", "/h\\*me/a/*.log"},
        {"${PLACE:-~/.x}/a*", NULL, "~/.x/a*", "/h\\*me/.x/a*"},
        {"${PLACE:-~/.x}/a*", "", "~/.x/a*", "/h\\*me/.x/a*"},
        {"${PLACE:-~/.x}/a*", "/v[1]", "/v[1]/a*", "/v\\[1\\]/a*"},
        {"${PLACE:-/x}/a", NULL, "/x/a", "/x/a"},
        {"/a", NULL, "/a", "/a"},
    };
    struct buf text = {0};
    setenv("HOME", "/h*me", 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (cases[i].value)
            setenv("PLACE", cases[i].value, 1);
        else
            unsetenv("PLACE");
        buf_clear(&text);
        place_text(cases[i].pattern, &text);
        cr_expect_str_eq(buf_cstr(&text), cases[i].text);
        buf_clear(&text);
        cr_expect(place_pattern(cases[i].pattern, &text));
        cr_expect_str_eq(buf_cstr(&text), cases[i].glob);
    }
    cr_expect_eq(place_files("/"), 1);
    cr_expect_eq(place_files("~/none"), 0);
    unsetenv("HOME");
    buf_clear(&text);
    cr_expect(!place_pattern("~/a", &text) && !text.len);
    buf_finish(&text);
}

Test(readers_hosts, detection)
{
    static const struct {
        const char *head, *name;
    } cases[] = {
        {"2026-02-04 17:58:03.432 [info] Handling GetInstructions action\n"
         "2026-02-04 18:00:27.386 [info] Calling tool 'log' with toolCallId: c\n",
         "cursor"},
        {"{`ts`:1,`event`:`tool.call`,`tool`:`x`}\n", "tool-events"},
        {"[{`id`:1,`source`:`user`,`action`:`message`,`args`:{`content`:`hi`}}]", "openhands"},
        {"{`trajectory`:[{`id`:1,`source`:`user`,`action`:`message`,`args`:{}}]}",
         "openhands-trajectory"},
        {"{`id`:1,`source`:`user`,`action`:`message`,`args`:{`content`:`hi`}}", "openhands-events"},
        {"{`id`:`a`,`timestamp`:`t`,`source`:`user`,`kind`:`MessageEvent`}\n", "openhands-events"},
        {"{`instance_id`:`i`,`history`:[[{`source`:`a`,`action`:`run`,`args`:{}}]]}\n",
         "openhands-events"},
        {"{`trajectory`:[{`action`:`a`,`observation`:`o`,`response`:`r`,`query`:[]}],`history`:[]}",
         "swe-agent"},
        {"{`trajectory`:[{`action`:`a`,`observation`:`o`,`response`:`r`}],`history`:[]}",
         "swe-agent-history"},
        {"{`trace`:{},`observations`:[{`traceId`:`t`,`type`:`SPAN`,`startTime`:`x`}]}", "langfuse"},
        {"[{`traceId`:`t`,`type`:`SPAN`,`startTime`:`x`}]", "langfuse"},
        {"[{`run_type`:`llm`,`inputs`:{},`start_time`:1}]", "langsmith"},
        {"{`run_type`:`llm`,`inputs`:{},`start_time`:1}\n", "langsmith"},
        {"{`version`:2,`eval`:{},`plan`:{}}\n{`id`:1,`epoch`:1,`input`:``,`target`:``}", "inspect"},
        {"{`version`:2,`eval`:{`task`:`t`,`model`:`m`},`samples`:[]}", "inspect-json"},
        {"{`messages_display`:`user: hi`}\n", "messages-display"},
        {"{`type`:`user`,`timestamp`:`t`,`message`:{}}\n{`type`:`summary`,`leafUuid`:`x`}\n",
         "claude-code"},
        {"[{`role`:`user`,`content`:`u`}]\n[{`role`:`user`,`content`:`u`}]\n", "invariant"},
        {"{`messages`:[{`role`:`user`,`content`:`u`}],`annotations`:[],`index`:0}\n", "invariant"},
        {"[{`role`:`user`,`content`:`u`}]\n", "messages-array"},
    };
    struct buf head = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_str_eq(detected(quoted(cases[i].head, &head)), cases[i].name, "%s: %s",
                         cases[i].head, detected(buf_cstr(&head)));
    buf_finish(&head);
}

Test(readers_hosts, claude_code_stream)
{
    static const struct example examples[] = {
        {"claude-code-stream",
         "{`type`:`system`,`subtype`:`init`,`session_id`:`s`}\n"
         "{`type`:`user`,`message`:{`content`:`go`},`session_id`:`s`,`parent_tool_use_id`:null}\n"
         "{`type`:`assistant`,`message`:{`content`:[{`type`:`tool_use`,`id`:`a`,`name`:`Task`,"
         "`input`:{}}]},`session_id`:`s`,`parent_tool_use_id`:null}\n"
         "{`type`:`assistant`,`message`:{`content`:[{`type`:`tool_use`,`id`:`b`,"
         "`name`:`mcp__fs__read`,`input`:{`p`:1}}]},`session_id`:`s`,`parent_tool_use_id`:`a`}\n"
         "{`type`:`user`,`message`:{`content`:[{`type`:`tool_result`,`tool_use_id`:`b`,"
         "`is_error`:true,`content`:`no`}]},`session_id`:`s`,`parent_tool_use_id`:`a`}\n"
         "{`type`:`stream_event`,`session_id`:`s`,`event`:{}}\n"
         "{`type`:`system`,`subtype`:`compact_boundary`,`session_id`:`s`}\n"
         "{`type`:`result`,`subtype`:`success`,`session_id`:`s`,`permission_denials`:["
         "{`tool_name`:`Bash`,`tool_use_id`:`c`,`tool_input`:{}}]}\n{`type`:",
         "noise metadata; prompt text=go session=s; call text={} tool=Task call=a session=s; "
         "call text={`p`:1} server=fs tool=read call=b agent=a by=a session=s; "
         "result text=no call=b agent=a by=a session=s error; noise progress; "
         "reset text={`type`:`system`,`subtype`:`compact_boundary`,`session_id`:` session=s "
         "compaction; other call=c session=s stopped; "
         "bad at 8: the JSON text ends inside a value; "},
        {"claude-code-array",
         "[{`type`:`user`,`message`:{`content`:`go`},`session_id`:`s`,`parent_tool_use_id`:null},\n"
         "{`type`:`assistant`,`message`:{`content`:[{`type`:`thinking`}]},`session_id`:`s`}]",
         "noise document; prompt text=go session=s; noise thinking; noise document; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
    struct buf head = {0};
    for (size_t i = 0; i < COUNT_OF(examples); i++)
        cr_expect_str_eq(detected(quoted(examples[i].bytes, &head)), examples[i].name);
    buf_finish(&head);
}

/* Lists of messages of other APIs than OpenAI's and Anthropic's. */
Test(readers_hosts, messages_of_other_apis)
{
    static const struct example examples[] = {
        /* Bedrock */
        {"messages",
         "{`messages`:[{`role`:`user`,`content`:[{`text`:`go`}]},{`role`:`assistant`,`content`:"
         "[{`toolUse`:{`toolUseId`:`a`,`name`:`mcp__fs__read`,`input`:{`p`:1}}}]},{`role`:`user`,"
         "`content`:[{`toolResult`:{`toolUseId`:`a`,`content`:[{`text`:`r`}],`status`:`error`}}]}]}",
         "noise document; prompt text=go; call text={`p`:1} server=fs tool=read call=a; "
         "result text=[{`text`:`r`}] call=a error; noise document; "},
        /* Gemini */
        {"messages-array",
         "[{`role`:`user`,`parts`:[{`text`:`go`}]},{`role`:`model`,`parts`:[{`functionCall`:"
         "{`name`:`read`,`args`:{`p`:1}}},{`text`:`so`}]},{`role`:`user`,`parts`:["
         "{`functionResponse`:{`name`:`read`,`response`:{`output`:`r`}}}]},{`role`:`user`,`parts`:["
         "{`functionResponse`:{`name`:`read`,`response`:{`error`:`e`}}}]}]",
         "noise document; prompt text=go; call text={`p`:1} tool=read; assistant text=so; "
         "result text=r; result text=e error; noise document; "},
        /* Vercel's AI SDK, to the model and to the screen */
        {"messages-array",
         "[{`role`:`assistant`,`content`:[{`type`:`tool-call`,`toolCallId`:`a`,`toolName`:`read`,"
         "`input`:{`p`:1}}]},{`role`:`tool`,`content`:[{`type`:`tool-result`,`toolCallId`:`a`,"
         "`toolName`:`read`,`output`:{`type`:`error-text`,`value`:`e`}}]}]",
         "noise document; call text={`p`:1} tool=read call=a; result text=e call=a error; "
         "noise document; "},
        {"messages",
         "{`messages`:[{`role`:`assistant`,`parts`:[{`type`:`step-start`},{`type`:`tool-send`,"
         "`toolCallId`:`a`,`state`:`output-available`,`input`:{},`output`:`r`},"
         "{`type`:`dynamic-tool`,`toolName`:`mcp__fs__read`,`toolCallId`:`b`,`input`:{},"
         "`errorText`:`e`},{`type`:`tool-invocation`,`toolInvocation`:{`toolCallId`:`c`,"
         "`toolName`:`list`,`args`:{`q`:2},`result`:[1]}},{`type`:`tool-odd`},"
         "{`type`:`text`,`text`:`so`}]}]}",
         "noise document; call text={} tool=send call=a; result text=r call=a; "
         "call text={} server=fs tool=read call=b; result text=e call=b error; "
         "call text={`q`:2} tool=list call=c; result text=[1] call=c; "
         "assistant text={`type`:`tool-odd`}; assistant text=so; noise document; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
    struct buf head = {0};
    for (size_t i = 0; i < COUNT_OF(examples); i++)
        cr_expect_str_eq(detected(quoted(examples[i].bytes, &head)), examples[i].name);
    buf_finish(&head);
}

/* What models were given and answered, in the three ways that spans and events tell it. */
Test(readers_hosts, otel_messages)
{
    static const struct example examples[] = {
        /* One attribute with all messages, beside the span of the tool. */
        {"otlp",
         "{`start_time`:1,`end_time`:2,`attributes`:{`gen_ai.system_instructions`:"
         "`[{\\`type\\`:\\`text\\`,\\`content\\`:\\`be\\`}]`,`gen_ai.input.messages`:"
         "`[{\\`role\\`:\\`user\\`,\\`parts\\`:[{\\`type\\`:\\`text\\`,\\`content\\`:\\`go\\`}]}]`,"
         "`gen_ai.output.messages`:`[{\\`role\\`:\\`assistant\\`,\\`parts\\`:[{\\`type\\`:"
         "\\`tool_call\\`,\\`id\\`:\\`a\\`,\\`name\\`:\\`get\\`,\\`arguments\\`:{\\`q\\`:1}}]}]`}}\n"
         "{`start_time`:3,`end_time`:4,`attributes`:{`gen_ai.operation.name`:`execute_tool`,"
         "`gen_ai.tool.name`:`get`,`gen_ai.tool.call.id`:`a`,`gen_ai.tool.call.result`:`r`}}\n"
         "{`start_time`:5,`attributes`:{`gen_ai.input.messages`:[{`role`:`user`,`parts`:[{`type`:"
         "`text`,`content`:`go`}]},{`role`:`assistant`,`parts`:[{`type`:`tool_call`,`id`:`a`,"
         "`name`:`get`}]},{`role`:`tool`,`parts`:[{`type`:`tool_call_response`,`id`:`a`,"
         "`response`:`r`}]}],`gen_ai.output.messages`:[{`role`:`assistant`,`parts`:[{`type`:"
         "`reasoning`,`content`:`x`},{`type`:`text`,`content`:`so`}]}]}}\n",
         "prompt text=`[{\\`type\\`:\\`text\\`,\\`content\\`:\\`be\\`}]` t=1000.0 system; "
         "prompt text=`[{\\`role\\`:\\`user\\`,\\`parts\\`:[{\\`type\\`:\\`text\\`,\\`content t=1000.0; "
         "call text=`[{\\`role\\`:\\`assistant\\`,\\`parts\\`:[{\\`type\\`:\\`tool_call\\` tool=get call=a "
         "t=2000.0; call tool=get call=a t=3000.0; result text=r call=a t=4000.0; "
         "result text=r call=a t=5000.0; assistant text=so t=5000.0; "},
        /* An attribute for each member; the tool's span has no id of the call. */
        {"otlp",
         "{`resourceSpans`:[{`scopeSpans`:[{`spans`:[{`attributes`:["
         "{`key`:`llm.input_messages.0.message.role`,`value`:{`stringValue`:`user`}},"
         "{`key`:`llm.input_messages.0.message.contents.0.message_content.text`,`value`:"
         "{`stringValue`:`go`}},"
         "{`key`:`llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments`,`value`:"
         "{`stringValue`:`{}`}},"
         "{`key`:`llm.output_messages.0.message.tool_calls.0.tool_call.function.name`,`value`:"
         "{`stringValue`:`get`}},"
         "{`key`:`llm.output_messages.0.message.tool_calls.0.tool_call.id`,`value`:"
         "{`stringValue`:`a`}}]},"
         "{`attributes`:[{`key`:`openinference.span.kind`,`value`:{`stringValue`:`TOOL`}},"
         "{`key`:`tool.name`,`value`:{`stringValue`:`get`}},{`key`:`input.value`,`value`:"
         "{`stringValue`:`{}`}},{`key`:`output.value`,`value`:{`stringValue`:`r`}}]},"
         "{`attributes`:[{`key`:`gen_ai.prompt.0.role`,`value`:{`stringValue`:`user`}},"
         "{`key`:`gen_ai.prompt.0.content`,`value`:{`stringValue`:`go`}},"
         "{`key`:`gen_ai.prompt.1.role`,`value`:{`stringValue`:`tool`}},"
         "{`key`:`gen_ai.prompt.1.content`,`value`:{`stringValue`:`r`}},"
         "{`key`:`gen_ai.prompt.1.tool_call_id`,`value`:{`stringValue`:`a`}},"
         "{`key`:`gen_ai.prompt.x`,`value`:{`intValue`:`1`}},"
         "{`key`:`gen_ai.completion.0.content`,`value`:{`stringValue`:`so`}}]}]}]}]}\n",
         "prompt text=go; call text={} tool=get call=a; call text={} tool=get call=a; "
         "result text=r call=a; result text=r call=a; assistant text=so; "},
        /* An event for each. */
        {"otlp",
         "{`resourceLogs`:[{`scopeLogs`:[{`logRecords`:[{`eventName`:`gen_ai.user.message`,`body`:"
         "{`kvlistValue`:{`values`:[{`key`:`content`,`value`:{`stringValue`:`go`}}]}}},"
         "{`eventName`:`gen_ai.choice`,`body`:{`kvlistValue`:{`values`:[{`key`:`message`,`value`:"
         "{`kvlistValue`:{`values`:[{`key`:`tool_calls`,`value`:{`arrayValue`:{`values`:["
         "{`kvlistValue`:{`values`:[{`key`:`id`,`value`:{`stringValue`:`a`}},{`key`:`function`,"
         "`value`:{`kvlistValue`:{`values`:[{`key`:`name`,`value`:{`stringValue`:`get`}},"
         "{`key`:`arguments`,`value`:{`stringValue`:`{}`}}]}}}]}}]}}}]}}}]}}},"
         "{`eventName`:`gen_ai.user.message`,`body`:{`kvlistValue`:{`values`:[{`key`:`content`,"
         "`value`:{`stringValue`:`go`}}]}}},"
         "{`eventName`:`gen_ai.tool.message`,`body`:{`kvlistValue`:{`values`:[{`key`:`content`,"
         "`value`:{`stringValue`:`r`}},{`key`:`id`,`value`:{`stringValue`:`a`}}]}}}]}]}]}\n",
         "prompt text=go; call text={} tool=get call=a; result text=r call=a; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, langfuse_lines)
{
    static const struct example examples[] = {
        {"langfuse",
         "{`id`:`a`,`traceId`:`t`,`type`:`TOOL`,`name`:`get`,`startTime`:2,`endTime`:3,`input`:{`q`:1},"
         "`output`:`r`}\n{`id`:`b`,`trace_id`:`t`,`type`:`GENERATION`,`start_time`:1,`end_time`:1,"
         "`input`:`go`,`output`:`so`}\n",
         "prompt text=go session=t t=1000.0; assistant text=so session=t t=1000.0; "
         "call text={`q`:1} tool=get call=a session=t t=2000.0; "
         "result text=r call=a session=t t=3000.0; "},
        {"langfuse",
         "{`id`:`a`,`traceId`:`t`,`type`:`TOOL`,`name`:`get`,`startTime`:2,`input`:{}}\n{`id`:`b`,`tr",
         "call text={} tool=get call=a session=t t=2000.0; "
         "(77+13 bad: the JSON text ends inside a value) "},
        {"langfuse", "{`id`:`b`,`tr", "(0+13 bad: the JSON text ends inside a value) "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, inspect_attachments)
{
    static const struct example examples[] = {
        {"inspect",
         "{`id`:1,`epoch`:1,`input`:`x`,`target`:``,`messages`:[{`role`:`user`,`content`:"
         "`attachment://aa`},{`role`:`assistant`,`content`:``,`tool_calls`:[{`id`:`c`,`function`:"
         "`get`,`arguments`:{`p`:`attachment://bb`,`q`:`attachment://none`}}]},{`role`:`tool`,"
         "`tool_call_id`:`c`,`content`:[{`type`:`text`,`text`:`attachment://bb`}]},"
         "{`role`:`user`,`content`:`attachment://none`}],"
         "`attachments`:{`aa`:`go`,`bb`:`say \\`yes\\``,`cc`:7}}",
         "prompt text=go session=1 epoch 1; "
         "call text={`p`:`say \\`yes\\``,`q`:`attachment://none`} tool=get call=c session=1 epoch 1; "
         "result text=[{`type`:`text`,`text`:`say \\`yes\\``}] call=c session=1 epoch 1; "
         "prompt text=attachment://none session=1 epoch 1; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
}

Test(readers_hosts, vscode_chat)
{
    static const struct example examples[] = {
        {"vscode-chat",
         "{`requesterUsername`:`u`,`sessionId`:`s`,`requests`:[{`timestamp`:1770228027000,`message`:"
         "{`text`:`go`,`parts`:[]},`response`:[{`kind`:`mcpServersStarting`},{`value`:`first`},"
         "{`kind`:`toolInvocationSerialized`,`toolCallId`:`a`,`toolId`:`mcp_fs_read`,`isConfirmed`:"
         "{`type`:4},`source`:{`type`:`mcp`,`label`:`fs`},`resultDetails`:{`input`:`{\\`p\\`:1}`,"
         "`output`:[{`type`:`embed`,`isText`:true,`value`:`r`}],`isError`:true}},"
         "{`kind`:`toolInvocationSerialized`,`toolCallId`:`b`,`toolId`:`run_in_terminal`,"
         "`isConfirmed`:false,`toolSpecificData`:{`kind`:`terminal`,`commandLine`:{`original`:`ls`}}},"
         "{`kind`:`toolInvocationSerialized`,`toolCallId`:`c`,`toolId`:`find`,`isConfirmed`:true},"
         "{`kind`:`markdownContent`,`content`:{`value`:`so`}}],`result`:{`metadata`:{"
         "`toolCallResults`:{`c`:{`content`:[{`value`:`one`},{`value`:`two`}]}}}}},{}]}",
         "noise document; prompt text=go session=s t=1770228027000.3; assistant text=first session=s; "
         "call text=`{\\`p\\`:1}` server=fs tool=read call=a session=s approved; "
         "result text=r call=a session=s error; "
         "call text={`original`:`ls`} tool=run_in_terminal call=b session=s stopped; "
         "result call=b session=s error refused; call tool=find call=c session=s; "
         "result text=[{`value`:`one`},{`value`:`two`}] call=c session=s; assistant text=so session=s; "
         "noise empty; noise document; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
    struct buf head = {0};
    cr_expect_str_eq(detected(quoted(examples[0].bytes, &head)), examples[0].name);
    buf_finish(&head);
}

Test(readers_hosts, documents_of_chats)
{
    static const struct example examples[] = {
        /* Continue */
        {"messages-history",
         "{`sessionId`:`s`,`history`:[{`message`:{`role`:`user`,`content`:`go`},`contextItems`:[]},"
         "{`message`:{`role`:`assistant`,`content`:``,`toolCalls`:[{`id`:`a`,`function`:{`name`:"
         "`get`,`arguments`:`{}`}}]}},{`message`:{`role`:`tool`,`content`:`r`,`toolCallId`:`a`}}]}",
         "noise document; prompt text=go; call text={} tool=get call=a; result text=r call=a; "
         "noise document; "},
        {"messages-output",
         "{`object`:`response`,`output`:[{`type`:`mcp_call`,`id`:`a`,`name`:`get`,`server_label`:`fs`,"
         "`arguments`:`{}`,`output`:`r`},{`type`:`message`,`role`:`assistant`,`content`:[{`type`:"
         "`output_text`,`text`:`so`}]}]}",
         "noise document; call text={} server=fs tool=get call=a; result text=r call=a; "
         "assistant text=so; noise document; "},
        {"claude-ai",
         "[{`uuid`:`c`,`chat_messages`:[{`sender`:`human`,`text`:`go`,`content`:[],`created_at`:"
         "`2026-02-04T18:00:27Z`},{`sender`:`assistant`,`text`:`x`,`content`:[{`type`:`tool_use`,"
         "`id`:`a`,`name`:`fs:read`,`input`:{}},{`type`:`tool_result`,`tool_use_id`:`a`,`is_error`:"
         "true,`content`:`no`},{`type`:`text`,`text`:`so`}]}]},{`uuid`:`d`,`chat_messages`:[]}]",
         "noise document; prompt text=go session=c t=1770228027000.0; "
         "call text={} server=fs tool=read call=a session=c; result text=no call=a session=c error; "
         "assistant text=so session=c; noise empty; noise document; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
    struct buf head = {0};
    for (size_t i = 0; i < COUNT_OF(examples); i++)
        cr_expect_str_eq(detected(quoted(examples[i].bytes, &head)), examples[i].name);
    buf_finish(&head);
}

Test(readers_hosts, model_calls)
{
    static const struct example examples[] = {
        {"model-calls",
         "{`trace_id`:`t`,`startTime`:1,`endTime`:2,`messages`:[{`role`:`user`,`content`:`go`}],"
         "`response`:{`choices`:[{`message`:{`role`:`assistant`,`content`:null,`tool_calls`:[{`id`:`a`,"
         "`function`:{`name`:`get`,`arguments`:`{}`}}]}}]}}\n"
         "{`trace_id`:`t`,`startTime`:3,`endTime`:4,`metadata`:{`mcp_tool_call_metadata`:{`name`:`get`,"
         "`arguments`:{},`mcp_server_name`:`fs`}},`response`:{`content`:[]}}\n"
         "{`trace_id`:`t`,`startTime`:5,`request`:{`body`:{`messages`:[{`role`:`user`,`content`:`go`},"
         "{`role`:`assistant`,`tool_calls`:[{`id`:`a`,`function`:{`name`:`get`,`arguments`:`{}`}}]},"
         "{`role`:`tool`,`tool_call_id`:`a`,`content`:`r`}]}},`response`:{`body`:{`role`:`assistant`,"
         "`content`:[{`type`:`text`,`text`:`so`}]}}}\n"
         "{`input`:`more`,`response`:{`output`:[{`type`:`function_call`,`call_id`:`b`,`name`:`put`,"
         "`arguments`:`{}`}]}}\n{`metadata`:{`mcp_tool_call_metadata`:{`name`:`x`}},`status`:`failure`}\n",
         "prompt text=go session=t t=1000.0; call text={} tool=get call=a session=t t=2000.0; "
         "call text={} server=fs tool=get call=a session=t t=3000.0; "
         "result text={`content`:[]} call=a session=t t=4000.0; "
         "result text=r call=a session=t t=5000.0; assistant text=so session=t t=5000.0; "
         "prompt text=more; call text={} tool=put call=b; call tool=x; result error; "},
    };
    expect_quoted(examples, COUNT_OF(examples));
    struct buf head = {0};
    cr_expect_str_eq(detected(quoted(examples[0].bytes, &head)), examples[0].name);
    buf_finish(&head);
}
