I=$SAMPLES/S01-github-leak
$STRANDLINE why $I/github.log $I/notes.log 19
$STRANDLINE why $I/github.log $I/notes.log 19 --axis integrity
$STRANDLINE why --json $I/github.log $I/notes.log 15
