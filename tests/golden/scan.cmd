# Each file alone: what was read, what was found, what is wrong; and in shards.
cd "$SAMPLES/S01-github-leak"
"$STRANDLINE" scan github.log missing.log notes.log | sed 's/"policy_digest.*"file"/"file"/' || echo "exit $?"
"$STRANDLINE" scan github.log >/dev/null || echo "exit $?"
"$STRANDLINE" scan github.log notes.log github.log --shard 2/2 | grep -c '"file":"notes.log"'
"$STRANDLINE" scan github.log --shard 3/2 || echo "exit $?"
"$STRANDLINE" scan || echo "exit $?"
