# A host's transcript and its servers' logs are one session where they tell the same calls; by a clock
# that is off by a time zone too. Two chats that one server served stay two, though a log that
# tells of one of them alone goes to it; and so does another day.
sample="$SAMPLES/S01-github-leak"
sessions() { "$STRANDLINE" sessions "$@" | cut -c 1-90; }
mkdir -p same/host same/wire other
cp "$sample/github.log" "$sample/notes.log" same/wire
cp "$sample/host/transcript.jsonl" same/host
sessions same
"$STRANDLINE" import -q -o same.strand same && "$STRANDLINE" show same.strand 7 | head -n 6
sed 's/"2026-05-26T09:/"2026-05-26T11:/' same/host/transcript.jsonl > zone.jsonl
sessions same/wire/*.log zone.jsonl
"$STRANDLINE" show --account same/wire/*.log zone.jsonl | grep -o 'its clock.*'
sed 's/"2026-05-26T/"2026-05-29T/' same/host/transcript.jsonl > day.jsonl
sessions same/wire/*.log day.jsonl
head -n 10 same/host/transcript.jsonl > first.jsonl
tail -n +11 same/host/transcript.jsonl | sed 's/fb173a94/fb173a95/' > second.jsonl
sessions same/wire/*.log first.jsonl second.jsonl
# The wire comes later.
"$STRANDLINE" import -q -o later.strand same/host && "$STRANDLINE" import -o later.strand same/wire
sessions later.strand
