cd "$SAMPLES/S01-github-leak/evidence"
"$STRANDLINE" verify github.log notes.log --evidence records
