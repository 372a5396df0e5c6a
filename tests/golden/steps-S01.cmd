$STRANDLINE steps $SAMPLES/S01-github-leak/github.log $SAMPLES/S01-github-leak/notes.log
$STRANDLINE steps --policy fides $SAMPLES/S01-github-leak/github.log $SAMPLES/S01-github-leak/notes.log
