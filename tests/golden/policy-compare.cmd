# One session under every policy; what is labelled on the wire is judged alike, what is shown is not.
I=$SAMPLES/S01-github-leak
$STRANDLINE policy compare $I/github.log $I/notes.log
$STRANDLINE policy compare $SAMPLES/S05-rendered-image/transcript.jsonl
$STRANDLINE policy compare --json $I/github.log $I/notes.log | head -24
