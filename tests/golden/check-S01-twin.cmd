"$STRANDLINE" check "$SAMPLES/S01-github-leak/twin/github.log" "$SAMPLES/S01-github-leak/twin/notes.log"
