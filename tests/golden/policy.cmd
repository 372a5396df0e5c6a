# The starter is a valid policy, and `check` says what a policy says.
$STRANDLINE policy init > mine.json
$STRANDLINE policy check mine.json
echo '{"schema": "strandline/policy/1",
"require": {"egress": "P-X"}}' > wrong.json
$STRANDLINE policy check wrong.json
$STRANDLINE policy check strict | head -4
