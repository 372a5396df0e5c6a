# What is wrong, where, and what to do: a line each.
"$STRANDLINE" check || echo "exit $?"
"$STRANDLINE" check /nonexistent.log || echo "exit $?"
"$STRANDLINE" nonsense || echo "exit $?"
"$STRANDLINE" chekc || echo "exit $?"
"$STRANDLINE" steps --nonsense "$SAMPLES/S01-github-leak/github.log" || echo "exit $?"
"$STRANDLINE" show "$SAMPLES/S01-github-leak/github.log" 9999 || echo "exit $?"
"$STRANDLINE" digest --canon md5 || echo "exit $?"
"$STRANDLINE" check --policy nonsense "$SAMPLES/S01-github-leak/github.log" || echo "exit $?"
"$STRANDLINE" check --fail-on loud "$SAMPLES/S01-github-leak/github.log" || echo "exit $?"
printf '{"a":1,"a":2}' | "$STRANDLINE" digest --canon jcs || echo "exit $?"
: > empty.log
"$STRANDLINE" check empty.log || echo "exit $?"
