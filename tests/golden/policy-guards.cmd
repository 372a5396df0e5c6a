# What a policy watches beside labels, on the sessions where it happens and on their twins.
$STRANDLINE policy check $CASES/policy-guards.json | tail -9
for S in S01-github-leak S06-foreign-row S09-init-outside-root; do
  echo "$S:"
  $STRANDLINE check $SAMPLES/$S/*.log --policy $CASES/policy-guards.json | grep ' PO' || true
  echo "its twin:"
  $STRANDLINE check $SAMPLES/$S/twin/*.log --policy $CASES/policy-guards.json | grep ' PO0[123]' || echo '  nothing'
done
echo '{"schema": "strandline/policy/1", "queries": [{"sql": "DELETE FROM step"}]}' > writes.json
$STRANDLINE check $SAMPLES/S06-foreign-row/*.log --policy writes.json || true
echo '{"schema": "strandline/policy/1", "queries": [{"name": "q", "sql": "SELECT 1"}]}' > nowhere.json
$STRANDLINE check $SAMPLES/S06-foreign-row/*.log --policy nowhere.json || true
