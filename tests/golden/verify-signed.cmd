# Receipts of a chain and one that was changed: without a key, with it, and with what is none.
cd "$CASES/../fixtures/evidence"
log="$SAMPLES/S01-github-leak/evidence/github.log"
"$STRANDLINE" verify "$log" --evidence receipts | grep -A1 '^signed'
"$STRANDLINE" verify "$log" --evidence receipts --key receipts.pub | grep -A1 '^signed'
"$STRANDLINE" verify "$log" --key receipts/one.json
