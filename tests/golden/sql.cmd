cd "$SAMPLES/S01-github-leak"
"$STRANDLINE" sql github.log notes.log "SELECT step, server, tool, verdict FROM v_step WHERE verdict = 'deny'"
echo "SELECT code, count(*) AS n FROM v_finding GROUP BY code" | "$STRANDLINE" sql github.log notes.log --json
for query in "DELETE FROM step" "PRAGMA user_version" "ATTACH 'x' AS y" "SELECT load_extension('x')" "SELECT 1; SELECT 2" "nonsense"; do
  "$STRANDLINE" sql github.log notes.log "$query" || echo "exit $?"
done
"$STRANDLINE" sql github.log notes.log "SELECT $(seq -s , 70)" 2>&1 >/dev/null
"$STRANDLINE" sql github.log notes.log "SELECT $(seq -s , 30)"
