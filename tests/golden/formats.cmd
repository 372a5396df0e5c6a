cd "$SAMPLES"
for log in S01-github-leak/github.log S05-rendered-image/transcript.jsonl S08-sign-in-address/remote.har; do
    $STRANDLINE formats $log
done
# What an import decides by: unpacked, and from standard input too.
gzip -cn S01-github-leak/github.log | $STRANDLINE formats -
