printf '{"b": 2, "a": 1.0, "\\u20ac": "\\/"}' > r.json
"$STRANDLINE" digest --canon jcs r.json
"$STRANDLINE" digest --canon jcs --bytes r.json
"$STRANDLINE" digest --canon cbor --hex r.json
"$STRANDLINE" digest --canon jcs --alg sha512 < r.json
"$STRANDLINE" digest --canon jcs --explain r.json
printf '{"a":1}\n\n{"a":1e400}\n[2]\n' | "$STRANDLINE" digest --canon jcs --lines || echo "exit $?"
# CBOR from standard input, not deterministic: head by head, and what it is called as it came.
printf '\277\141b\373\077\360\0\0\0\0\0\0\141a\237\1\30\2\377\377' > r.cbor
"$STRANDLINE" digest --canon cbor --explain < r.cbor
"$STRANDLINE" digest --canon cbor < r.cbor
"$STRANDLINE" digest --canon jcs --bytes < r.cbor && echo
printf '{"a":1}\n{"b":9007199254740993}\n' | "$STRANDLINE" digest --canon cbor --lines --explain
"$STRANDLINE" digest --canon jcs --explain --json r.json
"$STRANDLINE" digest --canon cbor --explain --json r.cbor
printf ' ' | "$STRANDLINE" digest --canon jcs || echo "exit $?"
printf '*' | "$STRANDLINE" digest --canon jcs || echo "exit $?"
printf 'dIETF' | "$STRANDLINE" digest --canon cbor --hex
printf '\240' | "$STRANDLINE" digest --canon jcs --bytes && echo
