# A finding is the same one wherever its logs lie: a baseline of one folder serves another.
S01="$SAMPLES/S01-github-leak"
$STRANDLINE check --json "$S01/github.log" "$S01/notes.log" > baseline.json || true
mkdir elsewhere
cp "$S01/github.log" "$S01/notes.log" elsewhere
$STRANDLINE check --baseline baseline.json elsewhere | tail -n 1
$STRANDLINE check --baseline baseline.json "$SAMPLES/S04-database-tokens" | tail -n 1
