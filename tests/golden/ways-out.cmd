# What an error or a page points at is there: the explorer's page, by name. And nothing found is not "clean".
$STRANDLINE explore --help | head -n 3
$STRANDLINE help explore | head -n 1
$STRANDLINE --plain || $STRANDLINE explore --help | tail -n 1
echo '{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[]}}' > empty.har
$STRANDLINE check empty.har
