cd "$SAMPLES/S01-github-leak/evidence"
"$STRANDLINE" report github.log notes.log --evidence records
"$STRANDLINE" report github.log -o report.txt || echo "exit $?"
"$STRANDLINE" report github.log --as pdf || echo "exit $?"
