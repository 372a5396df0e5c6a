"""Reads a capture as docs/capture.md describes it, strictly, and gives back the bytes that it is of."""
import base64
import json


class Capture:
    """One connection of a log."""

    def __init__(self, start):
        self.start, self.records, self.lines = start, [], []

    def of(self, direction):
        return [(record, line) for record, line in zip(self.records, self.lines) if record.get("dir") == direction]

    def bytes(self, direction):
        """All that went in a direction. Bytes that the log says are lost are left out."""
        out = []
        for record, line in self.of(direction):
            if "msg" in record:
                out.append(line[line.index(b'"msg":') + 6:-1])
            elif "base64" in record:
                out.append(base64.b64decode(record["base64"], validate=True))
            elif "raw" in record or "text" in record:
                out.append(record.get("raw", record.get("text")).encode())
            else:
                continue
            if record.get("crlf"):
                out.append(b"\r")
            if not record.get("open"):
                out.append(b"\n")
        return b"".join(out)

    def lost(self, direction):
        return sum(record.get("lost", 0) for record, _ in self.of(direction))

    def messages(self, direction):
        return [record["msg"] for record, _ in self.of(direction) if "msg" in record]

    def end(self):
        return self.records[-1] if self.records and "end" in self.records[-1] else None


def read(path):
    """The connections of a log, in order, and the lines that are no records."""
    found, torn = {}, []
    with open(path, "rb") as log:
        for line in log:
            if not line.endswith(b"\n"):
                torn.append(line)
                continue
            line = line[:-1]
            try:
                record = json.loads(line)
            except ValueError:
                torn.append(line)
                continue
            if "strandline" in record:
                assert record["strandline"] == "capture/1", line[:200]
                found[record["connection"]] = Capture(record)
                assert record["n"] == 0
            else:
                capture = found[record["c"]]
                assert record["n"] == len(capture.records) + 1, f"record {record['n']} after {len(capture.records)}"
                capture.records.append(record)
                capture.lines.append(line)
    return list(found.values()), torn


def one(path):
    captures, torn = read(path)
    assert len(captures) == 1 and not torn, (len(captures), torn)
    return captures[0]
