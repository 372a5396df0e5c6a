"$STRANDLINE" search "$SAMPLES"/S01-github-leak S01-github-leak:8 --like
"$STRANDLINE" search "$SAMPLES"/S01-github-leak twin:9 --like
