# What a person let be made or refused, where the log tells: Cline's asking and its answers, Codex's
# requests for approval, decisions of an SDK and of telemetry, a refusal in a result.
for log in ui_messages.json rollout.jsonl events.jsonl otlp.json claude.jsonl; do
    $STRANDLINE check $CASES/approvals/$log --policy fides | sed '/not shown/,/^    [^ ]/d; /^    [^ ]/d' || true
done
for log in ui_messages.json rollout.jsonl events.jsonl otlp.json claude.jsonl; do
    $STRANDLINE steps --json $CASES/approvals/$log |
        sed -n 's/.*"step":\([0-9]*\),.*"kind":"tool_call","tool":"\([^"]*\)".*\("outcome":[^,]*,"approved":[^,]*\).*/'$log' \1 \2 \3/p'
done
# A transcript has no connections: its servers are those that it calls.
$STRANDLINE sql $CASES/approvals/events.jsonl 'SELECT servers FROM v_session'
