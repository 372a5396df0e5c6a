# A transcript whose clock is some seconds off, with too few calls to tell by how much, or that has
# none: what it tells in front of a call that a wire log dates stays in front of it, and what it tells
# behind the result, behind; and where the wire log has no times, the transcript tells the order.
wire() { # AT FROM JSON
    printf '[2026-03-02T10:00:%s.000Z] %s {"jsonrpc":"2.0",%s}\n' "$@"
}
desk() {
    for n in $*; do
        wire "$n"0 '>>>' "\"id\":$n,\"method\":\"tools/call\",\"params\":{\"name\":\"look\",\"arguments\":{\"n\":$n}}"
        wire "$n"2 '<<<' "\"id\":$n,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"The code is heron wharf under the third lamp 66$n.\"}],\"_meta\":{\"io.modelcontextprotocol/trust-annotations\":{\"sensitive\":true}}}"
    done
}
line() { # AT TYPE CONTENT
    printf '{"type":"%s","uuid":"u%s","parentUuid":null,"sessionId":"9d1c","timestamp":"2026-03-02T10:00:%s.000Z","message":{"role":"%s","content":%s}}\n' "$2" "$1" "$1" "$2" "$3"
}
transcript() { # the seconds of: the prompt, a call and its result, a prompt, a call and its result, the answer
    line "$1" user '"What is the code?"'
    line "$2" assistant '[{"type":"tool_use","id":"t1","name":"mcp__desk__look","input":{"n":1}}]'
    line "$3" user '[{"type":"tool_result","tool_use_id":"t1","content":"The code is heron wharf under the third lamp 661."}]'
    line "$4" user '"And the next?"'
    line "$5" assistant '[{"type":"tool_use","id":"t2","name":"mcp__desk__look","input":{"n":2}}]'
    line "$6" user '[{"type":"tool_result","tool_use_id":"t2","content":"The code is heron wharf under the third lamp 662."}]'
    line "$7" assistant '[{"type":"text","text":"[here](https://x.example/?q=heron%20wharf%20under%20the%20third%20lamp%20662)"}]'
}
order() {
    "$STRANDLINE" steps --json "$@" | sed 's/.*"step":\([0-9]*\),.*"kind":"\([a-z_]*\)".*/\1 \2/' | paste -s -d ' '
}
desk 1 2 > desk.log
transcript 01 02 04 08 12 14 16 > behind.jsonl
transcript 19 20 22 26 30 32 34 > ahead.jsonl
order desk.log behind.jsonl
order desk.log ahead.jsonl
order ahead.jsonl desk.log
desk 1 2 3 > three.log
cat > chat.json <<'J'
{"messages":[{"role":"user","content":"What is the code?"},
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"desk__look","arguments":"{\"n\":1}"}}]},
{"role":"tool","tool_call_id":"c1","content":"The code is heron wharf under the third lamp 661."},
{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"desk__look","arguments":"{\"n\":2}"}}]},
{"role":"tool","tool_call_id":"c2","content":"The code is heron wharf under the third lamp 662."},
{"role":"user","content":"And the next?"},
{"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"desk__look","arguments":"{\"n\":3}"}}]},
{"role":"tool","tool_call_id":"c3","content":"The code is heron wharf under the third lamp 663."},
{"role":"assistant","content":"[here](https://x.example/?q=heron%20wharf%20under%20the%20third%20lamp%20663)"}]}
J
order three.log chat.json
sed 's/^[^{]*//' three.log > bare.log
order bare.log chat.json
{
    transcript 01 02 04 08 12 14 16
    line 18 assistant '[{"type":"tool_use","id":"t3","name":"mcp__desk__look","input":{"n":3}}]'
    line 20 user '[{"type":"tool_result","tool_use_id":"t3","content":"The code is heron wharf under the third lamp 663."}]'
} > timed.jsonl
order bare.log timed.jsonl
"$STRANDLINE" check desk.log behind.jsonl | grep EX02
