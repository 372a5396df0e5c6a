# Words that the case uses itself are taken out of the record, not out of the case: the copy is read.
for word in result REQUEST event log tool_call json trust recipe s2c octo-demo; do
    $STRANDLINE redact $SAMPLES/S01-github-leak/github.log -o copy.strand -q --text "$word"
    $STRANDLINE steps copy.strand | wc -l | tr -d ' '
    $STRANDLINE search copy.strand "$word" | tail -n 1
    $STRANDLINE verify -q copy.strand || true
    rm copy.strand
done
