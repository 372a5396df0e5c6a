# What an error or a page points at is there: the explorer's page, by name. And nothing found is not "clean".
$STRANDLINE explore --help | head -n 3
$STRANDLINE help explore | head -n 1
$STRANDLINE --plain || $STRANDLINE explore --help | tail -n 1
echo '{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"startedDateTime":"2026-11-30T10:00:00Z","time":1,"request":{"method":"GET","url":"http://a.example/","headers":[]},"response":{"status":200,"headers":[],"content":{"mimeType":"text/html","text":"hello"}}}]}}' > empty.har
$STRANDLINE check empty.har
