cd "$SAMPLES/S01-github-leak"
"$STRANDLINE" egress github.log notes.log
"$STRANDLINE" tools github.log notes.log
"$STRANDLINE" search github.log notes.log "larkspur"
"$STRANDLINE" search github.log notes.log "/Base pay since [A-Z]/"
"$STRANDLINE" search github.log notes.log "nowhere at all"
"$STRANDLINE" search github.log notes.log "/un(closed/" || echo "exit $?"
