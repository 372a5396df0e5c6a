printf '{"b": 2, "a": 1.0, "\\u20ac": "\\/"}' > r.json
"$STRANDLINE" digest --canon jcs r.json
"$STRANDLINE" digest --canon jcs --bytes r.json
"$STRANDLINE" digest --canon cbor --hex r.json
"$STRANDLINE" digest --canon jcs --alg sha512 < r.json
"$STRANDLINE" digest --canon jcs --explain r.json
printf '{"a":1}\n\n{"a":1e400}\n[2]\n' | "$STRANDLINE" digest --canon jcs --lines || echo "exit $?"
