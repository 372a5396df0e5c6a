# A case is sealed, checked, changed, and checked again; keys that are none.
"$STRANDLINE" import -q -o leak.strand "$SAMPLES/S01-github-leak/github.log"
"$STRANDLINE" keygen -o mine.key
"$STRANDLINE" keygen -o mine.key || echo "exit $?"
"$STRANDLINE" seal leak.strand --key mine.key | sed 's/[0-9a-f]\{64\}/KEY/'
"$STRANDLINE" verify leak.strand --key mine.key.pub | grep -A1 '^seal' | sed 's/[0-9a-f]\{64\}, [^ ]*/KEY, TIME/'
"$STRANDLINE" keygen -q -o other.key
"$STRANDLINE" verify leak.strand --key other.key.pub | grep '^seal' || echo "exit $?"
"$STRANDLINE" seal leak.strand --key mine.key.pub || echo "exit $?"
"$STRANDLINE" seal leak.strand || echo "exit $?"
"$STRANDLINE" seal "$SAMPLES/S01-github-leak/github.log" --key mine.key || echo "exit $?"
"$STRANDLINE" import -q -o bare.strand "$SAMPLES/S01-github-leak/github.log"
"$STRANDLINE" verify bare.strand -q --key mine.key.pub || echo "exit $?"
"$STRANDLINE" verify leak.strand -q --key other.key.pub | sed 's/[0-9a-f]\{64\}, [^ ]*/KEY, TIME/'
