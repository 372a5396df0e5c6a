# Results that Claude Code moved to files of their own: joined to the step that names them, where one
# does; a name that two results give is nobody's.
s=3f2a8e6f-290f-4105-a327-a2496e5e2a83
mkdir -p project/$s/tool-results
line() { # type uuid parent message
    printf '{"type":"%s","uuid":"%s","parentUuid":%s,"sessionId":"%s","timestamp":"2026-05-01T10:00:00.000Z","isSidechain":false,"version":"2.1.0","message":%s}\n' "$1" "$2" "$3" "$s" "$4"
}
{
    line user u1 null '{"role":"user","content":"Look at the log."}'
    line assistant u2 '"u1"' '{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cat big"}}]}'
    line user u3 '"u2"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"<persisted-output>\nOutput too large (57.4KB). Full output saved to: /home/u/p/'$s'/tool-results/t1.txt\n\nPreview (first 2KB):\nline one\n...\n</persisted-output>"}]}'
    line assistant u4 '"u3"' '{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"mcp__github__list_issues","input":{"repo":"a/b"}}]}'
    line user u5 '"u4"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"Error: result (60,000 characters) exceeds maximum allowed tokens. Output has been saved to C:\\u\\tool-results\\mcp-github-1.txt.\nFormat: JSON"}]}'
    line user u6 '"u5"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t3","content":"<persisted-output> saved to: /tool-results/t4.txt"},{"type":"tool_result","tool_use_id":"t4","content":"<persisted-output> saved to: /tool-results/t4.txt"}]}'
} > project/$s.jsonl
printf 'line one\nline two\n' > project/$s/tool-results/t1.txt
printf '[{"type":"text","text":"an issue"}]' > project/$s/tool-results/mcp-github-1.txt
echo clear > project/$s/tool-results/t4.txt
echo else > project/$s/tool-results/other.txt
"$STRANDLINE" import -o c.strand project
"$STRANDLINE" show c.strand 3 | tail -n 8
"$STRANDLINE" show c.strand 5 | tail -n 8
"$STRANDLINE" show c.strand --account | grep -E '^source|bytes|diagnostic'
