# Wire logs of one folder that overlap in time are one session; a folder's twin is another.
"$STRANDLINE" sessions "$SAMPLES/S01-github-leak"
# Named one by one, and three days apart: two sessions.
"$STRANDLINE" sessions "$SAMPLES/S07-clean-wire/monday/mailer.log" "$SAMPLES/S07-clean-wire/thursday/mailer.log"
