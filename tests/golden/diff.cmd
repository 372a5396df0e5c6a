"$STRANDLINE" diff "$SAMPLES/S07-clean-wire/monday/mailer.log" "$SAMPLES/S07-clean-wire/thursday/mailer.log" 1 2
"$STRANDLINE" diff "$SAMPLES/S01-github-leak" S01-github-leak twin
"$STRANDLINE" diff "$SAMPLES/S01-github-leak" twin twin --json
