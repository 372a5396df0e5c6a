I=$SAMPLES/S01-github-leak/evidence
$STRANDLINE show --evidence $I/records $I/github.log $I/notes.log 8
$STRANDLINE show --evidence $I/records $I/github.log $I/notes.log 19
