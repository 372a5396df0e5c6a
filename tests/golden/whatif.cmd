L="$SAMPLES/S01-github-leak"
"$STRANDLINE" import -q -o case.strand "$L/github.log" "$L/notes.log"
"$STRANDLINE" whatif case.strand --label 6=trusted --label 8=trusted,private --label 18=trusted
"$STRANDLINE" whatif case.strand --policy fides
"$STRANDLINE" whatif case.strand --policy strict --from fides
"$STRANDLINE" whatif case.strand --drop 8 --drop 10 --drop 12
# The record is as it was.
"$STRANDLINE" sessions case.strand
"$STRANDLINE" whatif case.strand --label 6 || echo "exit $?"
"$STRANDLINE" whatif case.strand --label 99=trusted || echo "exit $?"
"$STRANDLINE" whatif case.strand || echo "exit $?"
rm case.strand
