# A sub-agent whose own file was not given: what its answer carries is not known.
s=3f2a8e6f-290f-4105-a327-a2496e5e2a83
line() { # type uuid parent message rest
    printf '{"type":"%s","uuid":"%s","parentUuid":%s,"sessionId":"%s","timestamp":"2026-05-01T10:00:00.000Z","isSidechain":false,"version":"2.1.0","message":%s%s}\n' "$1" "$2" "$3" "$s" "$4" "$5"
}
{
    line user u1 null '{"role":"user","content":"Read the issues."}' ''
    line assistant u2 '"u1"' '{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"read"}}]}' ''
    line user u3 '"u2"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"done"}]}]}' ',"toolUseResult":{"status":"completed","agentId":"abc1234"}'
} > $s.jsonl
"$STRANDLINE" import -q -o c.strand $s.jsonl
"$STRANDLINE" sessions c.strand
"$STRANDLINE" show c.strand 3
