# Where more content was untrusted than is ranked, all that show causes say so.
i=0
while [ $((i += 1)) -le 300 ]; do
    echo '{"jsonrpc":"2.0","id":'$i',"method":"tools/call","params":{"name":"read","arguments":{}}}'
    echo '{"jsonrpc":"2.0","id":'$i',"result":{"content":[],"_meta":{"ifc":{"integrity":"untrusted","confidentiality":"public"}}}}'
done > many.log
echo '{"jsonrpc":"2.0","id":999,"method":"tools/call","params":{"name":"send","arguments":{"to":"x"}}}' >> many.log
echo '{"schema": "strandline/policy/1", "rules": [{"tool": "read", "role": []}]}' > ours.json
said='not all earlier content was looked at: others may be likelier'
$STRANDLINE why many.log 601 --policy ours.json | grep -ic "$said"
$STRANDLINE why many.log 601 --policy ours.json --json | grep -c '"capped": true'
for format in md html json; do
    $STRANDLINE report many.log --policy ours.json --as $format | grep -ioE "$said|and [0-9]+ more<|^and [0-9]+ more\.|\"causes_capped\": ?true"
done
