# A copy without what was named: the evidence that it doesn't touch holds, and says so where it does.
cd "$SAMPLES/S01-github-leak/evidence"
"$STRANDLINE" redact -e records github.log notes.log -o "$OLDPWD/share.strand" --text Larkspur --text repository_file
cd "$OLDPWD"
"$STRANDLINE" verify share.strand | sed 's/  record .*//'
"$STRANDLINE" search share.strand Larkspur
"$STRANDLINE" show share.strand 10 | head -n 6
"$STRANDLINE" redact share.strand -o share.strand || echo "exit $?"
"$STRANDLINE" redact share.strand -o two.strand --text a || echo "exit $?"
"$STRANDLINE" redact share.strand || echo "exit $?"
ls
