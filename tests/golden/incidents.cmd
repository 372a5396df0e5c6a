# Each bundled incident and its twin: which codes are found, by policy.
cd "$SAMPLES"
for policy in additive fides agent-framework; do
    echo "== $policy"
    for incident in S*; do
        for part in $incident $incident/twin; do
            logs=$(find $part -maxdepth 1 -name '*.log' -o -maxdepth 1 -name '*.jsonl' -o -maxdepth 1 -name '*.har' | sort)
            [ -n "$logs" ] || continue
            codes=$($STRANDLINE check --json --policy $policy $logs | grep -o '"code": *"[A-Z0-9]*"' | cut -d'"' -f4 | sort | uniq -c | awk '{print $2 "x" $1}' | tr '\n' ' ')
            printf '%-34s %s\n' $part "$codes"
        done
    done
done
