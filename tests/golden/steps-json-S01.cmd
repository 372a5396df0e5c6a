$STRANDLINE steps --json $SAMPLES/S01-github-leak/github.log $SAMPLES/S01-github-leak/notes.log
