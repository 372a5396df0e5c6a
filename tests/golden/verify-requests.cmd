# What is signed beside the arguments of a call, in them, and in a result is verified where it stands; a
# host's own label of its context is held against what came in.
cd "$CASES"
"$STRANDLINE" verify verify-requests.log
"$STRANDLINE" check --fail-on critical -v verify-requests.log
"$STRANDLINE" verify verify-requests.log --key ../fixtures/evidence/receipts.pub
