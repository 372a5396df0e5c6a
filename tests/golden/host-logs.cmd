# Of Gemini's first messages only the host's own context is no prompt, however long the prompt is; the
# calls that Cline keeps as strings in strings are those of the wire log.
cat > gemini.jsonl <<'L'
{"sessionId":"5e1f","projectHash":"ab","startTime":"2026-03-02T10:00:00.000Z","kind":"main"}
{"id":"1","timestamp":"2026-03-02T10:00:00.000Z","type":"user","content":[{"text":"<session_context>\nThis is the Gemini CLI. Today is Monday.\n</session_context>"}]}
{"id":"2","timestamp":"2026-03-02T10:00:01.000Z","type":"user","content":[{"text":"Please look at all open tickets of the kite project and sum them up."}]}
{"id":"3","timestamp":"2026-03-02T10:00:02.000Z","type":"gemini","content":"There are none."}
L
"$STRANDLINE" steps --json gemini.jsonl | sed 's/.*"step":\([0-9]*\),.*"kind":"\([a-z_]*\)","tool":\([^,]*\),.*/\1 \2 \3/'
cat > desk.log <<'L'
[2026-03-02T10:00:02.000Z] >>> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"n":1,"of":"a \"b\""}}}
[2026-03-02T10:00:03.000Z] <<< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"nothing"}]}}
L
cat > ui_messages.json <<'L'
[{"ts":1772445600000,"type":"say","say":"task","text":"Look at number 1."},
{"ts":1772445602000,"type":"ask","ask":"use_mcp_server","text":"{\"type\":\"use_mcp_tool\",\"serverName\":\"desk\",\"toolName\":\"look\",\"arguments\":\"{\\\"of\\\": \\\"a \\\\\\\"b\\\\\\\"\\\", \\\"n\\\": 1}\"}"},
{"ts":1772445603000,"type":"say","say":"mcp_server_response","text":"nothing"},
{"ts":1772445604000,"type":"say","say":"text","text":"There is nothing."}]
L
"$STRANDLINE" steps --all desk.log ui_messages.json | cut -c 1-60
