# Two cases of which each has a log that the other has too.
"$STRANDLINE" import -q -o a.strand "$SAMPLES/S01-github-leak/evidence"
"$STRANDLINE" import -q -o b.strand "$SAMPLES/S01-github-leak/evidence/github.log" "$SAMPLES/S01-github-leak/github.log"
"$STRANDLINE" merge a.strand b.strand -o both.strand
"$STRANDLINE" sessions both.strand
"$STRANDLINE" merge a.strand -o both.strand --json
"$STRANDLINE" verify -q both.strand
"$STRANDLINE" merge nothing.strand -o both.strand || echo "exit $?"
"$STRANDLINE" merge "$SAMPLES/S01-github-leak/github.log" -o both.strand || echo "exit $?"
"$STRANDLINE" merge a.strand || echo "exit $?"
