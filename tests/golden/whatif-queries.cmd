# Queries of a policy see the session as the what-if has it, and say where they are wrong.
echo '{"schema": "strandline/policy/1", "name": "ours", "extends": "additive", "queries": [
{"name": "untrusted writes", "sql": "SELECT session_id, step, tool FROM v_step WHERE trusted_action = '"'deny'"' AND verdict = '"'deny'"'"}]}' > ours.json
$STRANDLINE whatif $SAMPLES/S01-github-leak/github.log --policy ours.json --label 4=trusted --label 6=trusted
sed 's/v_step/v_stepp/' ours.json > wrong.json
$STRANDLINE check $SAMPLES/S01-github-leak/github.log --policy wrong.json || true
sed 's/, step, tool//' ours.json > wrong.json
$STRANDLINE check $SAMPLES/S01-github-leak/github.log --policy wrong.json || true
sed 's/SELECT session_id.*FROM v_step/DELETE FROM step/' ours.json > wrong.json
$STRANDLINE check $SAMPLES/S01-github-leak/github.log --policy wrong.json || true

$STRANDLINE policy check wrong.json || true
