# Paths outside the roots that the host declared to a server. A policy's own roots come first; a text
# that begins with a slash is no place, and a server that nothing was declared to has no roots.
log() { # ROOTS
    cat <<L
{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"h","version":"1"}}}
{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"disk","version":"1"}}}
{"jsonrpc":"2.0","id":0,"method":"roots/list"}
{"jsonrpc":"2.0","id":0,"result":{"roots":$1}}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"/srv/my work/a.c"}}}
{"jsonrpc":"2.0","id":1,"result":{"content":[]}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"path":"/srv/my work/../.ssh/id"}}}
{"jsonrpc":"2.0","id":2,"result":{"content":[]}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read","arguments":{"paths":["src/b.c","/etc/passwd"],"pattern":"/x/"}}}
{"jsonrpc":"2.0","id":3,"result":{"content":[]}}
L
}
roots() { "$STRANDLINE" check "$@" | grep PO01; }
log '[{"uri":"file:///srv/my%20work","name":"work"},{"uri":"https://x.example/"}]' > disk.log
roots disk.log
log '[]' > disk.log
roots disk.log || echo none
log '[{"uri":"file:///srv/my%20work"}]' > disk.log
cat > ours.json <<'P'
{"schema": "strandline/policy/1", "name": "ours", "roots": [{"server": "disk", "under": "/srv"}]}
P
roots disk.log --policy ours.json
