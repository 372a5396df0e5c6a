I=$SAMPLES/S01-github-leak
$STRANDLINE why $I/github.log $I/notes.log 15
$STRANDLINE why --json $I/github.log $I/notes.log 15 --axis integrity
