# Each form, on the bundled incident; data that would break out of a form; what can't be written.
set -- "$SAMPLES/S01-github-leak/github.log" "$SAMPLES/S01-github-leak/notes.log" --policy fides
"$STRANDLINE" export "$@" -o - --as cef
"$STRANDLINE" export "$@" -o - --as dot
"$STRANDLINE" export "$@" -o - --as timesketch | sed -n '5,6p;$p'
"$STRANDLINE" export "$@" -o - --as ocsf | head -n 1
"$STRANDLINE" export "$@" -o - --as jsonl | tail -n 1 | sed 's/.*"finding":/"finding":/'
"$STRANDLINE" export "$@" -o leak.json --as otlp
head -c 900 leak.json; echo
cat > hostile.log <<'END'
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{}}}
{"jsonrpc":"2.0","id":1,"result":{"content":[],"_meta":{"io.modelcontextprotocol/trust-annotations":{"untrusted":true}}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a\"|b=c\\d\u001b[2J\nCEF:0\u202e","arguments":{}}}
{"jsonrpc":"2.0","id":2,"result":{"content":[]}}
END
for form in cef dot timesketch otlp; do "$STRANDLINE" export hostile.log -o - --policy fides --as $form; done
"$STRANDLINE" export hostile.log -o . --as cef || echo "exit $?"
"$STRANDLINE" export hostile.log -o x --as xml || echo "exit $?"
"$STRANDLINE" export hostile.log --as cef || echo "exit $?"
ls
