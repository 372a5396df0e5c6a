# Every byte of the sources is accounted for.
$STRANDLINE import -o case.strand $SAMPLES/S01-github-leak/github.log $SAMPLES/S01-github-leak/notes.log
$STRANDLINE show case.strand --account
# The same bytes again change nothing.
$STRANDLINE import -o case.strand $SAMPLES/S01-github-leak/github.log
$STRANDLINE sessions case.strand
