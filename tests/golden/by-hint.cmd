# A result has the hints of its call: policies that go by openWorldHint tell the two tools apart.
$STRANDLINE steps --policy agent-framework $CASES/by-hint.log
$STRANDLINE steps --policy rule-of-two $CASES/by-hint.log
$STRANDLINE steps $CASES/by-hint.log
