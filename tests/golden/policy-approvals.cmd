# What a person let be made, and what was looked at and accepted: both stay in the list.
echo '{"schema": "strandline/policy/1", "name": "ours", "approvals": "approvals.json",
"severity": {"EX04": "medium"},
"suppress": [{"code": "PT01", "server": "github", "tool": "create_or_*", "reason": "looked at", "until": "2999-12-31"},
{"code": "EX01", "reason": "past its day", "until": "2020-01-01"}]}' > ours.json
echo '{"schema": "strandline/approvals/1",
"approvals": [{"session": "S01-github-leak", "step": 15, "by": "kim", "reason": "asked for"}, {"session": "another", "step": 21, "by": "kim"}]}' > approvals.json
$STRANDLINE policy check ours.json | tail -8
$STRANDLINE check $SAMPLES/S01-github-leak/github.log $SAMPLES/S01-github-leak/notes.log --policy ours.json || true
echo '{"schema": "strandline/approvals/1", "approvals": [{"step": 15}]}' > approvals.json
$STRANDLINE policy check ours.json
