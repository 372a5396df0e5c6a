# Why a digest doesn't match, in words and as fields: Python's separators, the other canonicalization, no usual way.
cat > refs.py <<'END'
import hashlib, json
record = {"integrity": "untrusted", "confidentiality": "public"}
open("record.json", "w").write(json.dumps(record, indent=1))
python = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
cbor = hashlib.sha256(b"\xa2\x69integrity\x69untrusted\x6fconfidentiality\x66public").hexdigest()
digests = [python, cbor, "00" * 32]
for i, digest in enumerate(digests):
    ref = {"type": "ifc.fides.v1", "digest": "sha256:" + digest, "canonicalization": "jcs/rfc8785", "schema": "s", "ref": "record.json"}
    print(json.dumps({"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {"name": "t", "arguments": {}}}))
    print(json.dumps({"jsonrpc": "2.0", "id": i, "result": {"content": [], "_meta": {
        "io.modelcontextprotocol/trust-annotations": {"untrusted": True, "evidenceRef": ref}}}}))
END
python3 refs.py > wire.log
"$STRANDLINE" verify wire.log --evidence record.json || echo "exit $?"
# volatile: "digests_tried": \d+
"$STRANDLINE" verify wire.log --evidence record.json --json | grep -A5 '"diagnosis"'
