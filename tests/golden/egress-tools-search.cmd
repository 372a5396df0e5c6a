cd "$SAMPLES/S01-github-leak"
"$STRANDLINE" egress github.log notes.log
"$STRANDLINE" tools github.log notes.log
"$STRANDLINE" search github.log notes.log "larkspur"
"$STRANDLINE" search github.log notes.log "/Base pay since [A-Z]/"
"$STRANDLINE" search github.log notes.log "nowhere at all"
"$STRANDLINE" search github.log notes.log "/un(closed/" || echo "exit $?"
"$STRANDLINE" search github.log notes.log --digest sha256:200c7b4d239bd20b3ae9b7d17e8581c2bc6157f4d9329bd3f820b534aebd55a4
"$STRANDLINE" search evidence/github.log --digest 0xEF339F9933E77473BAA43D227FD5EE5F3F4D9349B8F1277AEE10381DCF1EBA74
"$STRANDLINE" search github.log --digest sha256:00 || echo "exit $?"
"$STRANDLINE" search github.log || echo "exit $?"
