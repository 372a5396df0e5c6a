# The starter is a valid policy, and `check` says what a policy says.
$STRANDLINE policy init > mine.json
$STRANDLINE policy check mine.json
echo '{"schema": "strandline/policy/1",
"require": {"egress": "P-X"}}' > wrong.json
$STRANDLINE policy check wrong.json || true
$STRANDLINE policy check strict | head -4
# From a pipe, and a reader who looks like a group but is none.
$STRANDLINE policy init | $STRANDLINE policy check - | head -1
echo '{"schema": "strandline/policy/1",
"resolve": {"git:*": ["@leads"]}}' | $STRANDLINE policy check - | tail -2
echo '{"mode": 1' | $STRANDLINE policy check - || true
