"$STRANDLINE" why "$SAMPLES/S01-github-leak/github.log" 15 --arg /content
"$STRANDLINE" why "$SAMPLES/S01-github-leak/github.log" 15 --arg /branch
"$STRANDLINE" why "$SAMPLES/S01-github-leak/github.log" 15 --arg /contents
