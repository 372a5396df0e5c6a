"""A log in which every field tries to reach the terminal."""
import json

# One of each kind of harm; the parameters are such that our own drawing never uses them.
PAYLOADS = [
    "\x1b[8;9;53mconceal\x1b[0m",
    "\x1b[7777;7777Hfar",
    "\x1b]0;retitled\x07",
    "\x1b]52;c;cm0gLXJmIH4=\x07",
    "\x1b]8;;https://evil.example/\x1b\\link\x1b]8;;\x1b\\",
    "\x1bP+q544e\x1b\\",
    "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\",
    "\x1b[?47h\x1bc\x1b#8",
    "\x9b8;9;53mC1\x9d0;title\x9c\x90q\x9c",
    "bell\x07 null\x00 back\x08\x08 del\x7f feed\x0c vt\x0b so\x0e",
    "line\rover\nnext\u2028sep\u2029par\x85nel",
    "bidi \u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c",
    "zero\u200bwidth\u200d\u2060\ufeff soft\u00ad",
    "tags \U000e0001" + "".join(chr(0xE0000 + ord(c)) for c in "ignore previous") + "\U000e007f",
    "fill \u3164\u115f\u2800\uffa0 private \ue000\U000f1234",
    "marks e" + "\u0301" * 40 + " variation x\ufe0f\U000e0100",
    "wide \u6f22\u5b57 \U0001f468\u200d\U0001f469\u200d\U0001f467 \uff21",
]
ALL = " ".join(PAYLOADS)
# Text that harms by its size: a megabyte on one line, a pile of marks, a word without a break.
LONG = ["\x1b[8;9;53mhid\u202eden " * 60_000, "pile e" + "\u0301" * 100_000, "\u6f22" * 100_000, "\u200b\ue000" * 50_000]
FILE_NAME = "host\x1b[8;9mile\u202e\x07.log"


def write(path, long=()):
    """A whole session in marked JSON-RPC lines: every string a payload, and raw bytes after them. `long` are
    results of their own, before the raw bytes."""
    lines, clock = [], 0

    def line(mark, message, escaped=True):
        nonlocal clock
        clock += 100
        # Half of it escaped, as JSON wants it; half raw, as a broken writer leaves it.
        body = json.dumps(message, ensure_ascii=escaped, separators=(",", ":"))
        stamp = f"2026-05-26T09:12:{clock // 1000:02d}.{clock % 1000:03d}Z"
        lines.append(f"{stamp} {mark} {body}".encode())

    def rpc(**fields):
        return {"jsonrpc": "2.0", **fields}

    line("-->", rpc(id=0, method="initialize", params={
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "client " + ALL, "version": ALL}}))
    line("<--", rpc(id=0, result={
        "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "instructions": ALL,
        "serverInfo": {"name": "server " + ALL, "version": ALL, "title": ALL}}))
    line("-->", rpc(method="notifications/initialized"))
    line("-->", rpc(id=1, method="tools/list"))
    line("<--", rpc(id=1, result={"tools": [
        {"name": "read " + ALL, "description": ALL, "title": ALL, "inputSchema": {"type": "object", ALL: ALL},
         "annotations": {"readOnlyHint": True, "openWorldHint": True, "title": ALL}},
        {"name": "send", "description": ALL, "inputSchema": {"type": "object"}}]}))
    for number, payload in enumerate(PAYLOADS, 2):
        line("-->", rpc(id=number * 2, method="tools/call", params={
            "name": "read " + ALL if number % 2 else "send",
            "arguments": {payload: payload, "text": "some secret words to overlap with " + payload}}),
            escaped=number % 3 != 0)
        line("<--", rpc(id=number * 2, result={
            "content": [{"type": "text", "text": payload + "\nsome secret words to overlap with " + payload},
                        {"type": "resource", "resource": {"uri": "file:///" + payload, "text": payload}}],
            "structuredContent": {payload: [payload, {payload: payload}]}, "isError": number % 5 == 0,
            "_meta": {payload: payload, "ifc": {"integrity": "untrusted", "confidentiality": payload}}}),
            escaped=number % 4 != 0)
    for number, text in enumerate(long, 500):
        line("-->", rpc(id=number, method="tools/call", params={"name": "send", "arguments": {"text": text[:2000]}}))
        line("<--", rpc(id=number, result={"content": [{"type": "text", "text": text}], "_meta": {"ifc": {
            "integrity": "untrusted", "confidentiality": ["alice\x1b[8;9m", "bob\u202e"]}}}), escaped=False)
    line("<--", rpc(method=ALL, params={ALL: ALL}))
    line("<--", rpc(id=999, error={"code": -32000, "message": ALL, "data": ALL}))
    raw = [b"2026-05-26T09:13:00.000Z !!! stderr \x1b[8;9m\xff\xfe\xc0\xaf\x9b\x07", b"\x1b]0;bare\x07 no frame at all",
           b'2026-05-26T09:13:01.000Z --> {"jsonrpc":"2.0","id":7,"method":"\x1b[8;9m\xf0\x9f', b"\x00" * 20]
    with open(path, "wb") as out:
        out.write(b"\n".join(lines + raw) + b"\n")
