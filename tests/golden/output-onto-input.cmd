# What was asked about is never written over, by whatever name: a case, a log, a record, a link to one.
cp $SAMPLES/S01-github-leak/github.log a.log
cp -r $SAMPLES/S01-github-leak/evidence/records records
$STRANDLINE import -q -o a.strand a.log
ln a.log hard.log
ln -s a.log soft.log
ln -s a.strand soft.strand
sha256sum a.log a.strand records/* > before
refused() { "$@" && echo "written: $*" || true; }
refused $STRANDLINE export a.strand -o a.strand --as cef
refused $STRANDLINE export a.strand -o soft.strand --as cef
refused $STRANDLINE export a.strand -o a.log --as cef
refused $STRANDLINE export a.log -o a.log --as jsonl
refused $STRANDLINE export a.log -o hard.log --as jsonl
refused $STRANDLINE report a.log -o soft.log --as md
refused $STRANDLINE report a.log -e records -o records/class-0003.json
refused $STRANDLINE report . -o hard.log --as html
refused $STRANDLINE report a.strand -o a.strand --as html
refused $STRANDLINE redact a.strand -o a.strand
refused $STRANDLINE keygen -o a.log
refused $STRANDLINE merge a.strand a.log -o a.log
sha256sum --quiet -c before
# A merge that took nothing leaves no case behind.
refused $STRANDLINE merge nothing.strand -o new.strand
ls
