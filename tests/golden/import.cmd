# Logs and evidence make one total; a pattern that no shell expanded; what is in the case already.
S01="$SAMPLES/S01-github-leak/evidence"
$STRANDLINE import -o one.strand --evidence "$S01/records" "$S01/*.log"
$STRANDLINE import -o one.strand "$S01/github.log"
$STRANDLINE -q sessions one.strand
$STRANDLINE steps one.strand evi | wc -l
# Records that were taken for logs are no evidence until they are named as that.
$STRANDLINE verify "$S01" | tail -n 2
$STRANDLINE verify "$S01" --evidence "$S01/records" | tail -n 1
# What a case says rests on the records that it holds.
$STRANDLINE check one.strand --evidence "$S01/records" || echo "exit $?"
$STRANDLINE import -o two.strand --progress often "$S01/github.log" || echo "exit $?"
$STRANDLINE import -o two.strand "$S01/none*.log" || echo "exit $?"
# A case among its own logs is not read as one; and nothing is lost of a pipe that has a name.
mkdir folder
cp "$S01/github.log" folder
$STRANDLINE import -q -o folder/one.strand folder
$STRANDLINE import -o folder/one.strand folder
$STRANDLINE check folder/one.strand "$S01/github.log" || echo "exit $?"
$STRANDLINE check "$S01/github.log" folder/one.strand > /dev/null || echo "exit $?"
mkfifo pipe
cat "$S01/github.log" > pipe &
$STRANDLINE show --account pipe | grep bytes
wait
