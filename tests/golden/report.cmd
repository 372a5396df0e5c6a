cd "$SAMPLES/S01-github-leak/evidence"
# volatile: sha256:[0-9a-f]{64}(?=`)
"$STRANDLINE" report github.log notes.log --evidence records
"$STRANDLINE" report github.log -o report.txt || echo "exit $?"
"$STRANDLINE" report github.log --as pdf || echo "exit $?"
