# A rule that the policy does not ask of a call is no reason for its verdict: a write that sends nothing out, a search that changes nothing.
$STRANDLINE replay $SAMPLES/S10-own-configuration/transcript.jsonl | grep -A1 '  9 '
$STRANDLINE why $SAMPLES/S10-own-configuration/transcript.jsonl 9 | grep -A2 'step 9  '
$STRANDLINE replay $SAMPLES/S11-search-query/workspace.log $SAMPLES/S11-search-query/web.log | grep -A1 '  9 '
$STRANDLINE replay --policy rule-of-two $SAMPLES/S10-own-configuration/transcript.jsonl | grep -A1 '  9 '
$STRANDLINE show $SAMPLES/S10-own-configuration/transcript.jsonl 9 | grep ^verdict
