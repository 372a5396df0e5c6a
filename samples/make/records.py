"""Evidence records: their canonical bytes and digests.

Our records hold only objects, lists, strings, whole numbers and booleans, and
their names are ASCII. For these Python's sorted, space-free JSON is exactly RFC
8785, and CBOR needs no floats.
"""

import hashlib
import json


def jcs(value):
    """RFC 8785 bytes of a record of the kinds named above."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")


def _head(major, count):
    """A CBOR head with the shortest argument (RFC 8949, section 4.2.1)."""
    if count < 24:
        return bytes([major << 5 | count])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if count < 1 << 8 * size:
            return bytes([major << 5 | code]) + count.to_bytes(size, "big")
    raise ValueError("a number beyond 64 bits")


def cbor(value):
    """Core deterministic CBOR of a record of the kinds named above."""
    if value is False or value is True or value is None:
        return {False: b"\xf4", True: b"\xf5", None: b"\xf6"}[value]
    if isinstance(value, int):
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if isinstance(value, str):
        data = value.encode("utf-8")
        return _head(3, len(data)) + data
    if isinstance(value, list):
        return _head(4, len(value)) + b"".join(map(cbor, value))
    if isinstance(value, dict):
        pairs = sorted((cbor(key), cbor(item)) for key, item in value.items())
        return _head(5, len(pairs)) + b"".join(key + item for key, item in pairs)
    raise TypeError("no rule for " + type(value).__name__)


CANON = {"jcs/rfc8785": jcs, "cbor/rfc8949": cbor}


def digest(record, canonicalization):
    return "sha256:" + hashlib.sha256(CANON[canonicalization](record)).hexdigest()


def evidence_ref(kind, record, canonicalization, schema=None, ref=None, declared=None):
    """An evidenceRef. `declared` names another canonicalization than the one hashed with."""
    slot = {"type": kind, "digest": digest(record, canonicalization),
            "canonicalization": declared or canonicalization}
    if schema:
        slot["schema"] = schema
    if ref:
        slot["ref"] = ref
    return slot
