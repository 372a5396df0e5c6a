# What can't be read, and what breaks the protocol: with file, line and byte.
cat > broken.jsonl <<'LOG'
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}
{"jsonrpc":"2.0","id":1,"result":{"content":[]}}
{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"b","arguments":{}}}
{"jsonrpc":"2.0","id":null,"method":"notifications/progress","params":{}}
{"jsonrpc":"2.0","id":2,"method":"tools/ca
{"jsonrpc":"2.0","id":3,"method":"ping","result":{}}
{"jsonrpc":"2.0","id":77,"result":{"content":[]}}
LOG
"$STRANDLINE" check -v broken.jsonl
"$STRANDLINE" check --json broken.jsonl | grep '"evidence"'
"$STRANDLINE" import --strict -o broken.strand broken.jsonl || echo "exit $?"
