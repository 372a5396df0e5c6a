#!/bin/sh
# How long an import takes beside tools that only read the same log. Prints seconds and ratios; judges
# nothing. bench_ingest.sh BUILD_DIR [MEGABYTES] — from a release build, on a quiet machine.
set -eu
build=${1:?usage: bench_ingest.sh BUILD_DIR [MEGABYTES]}
size=${2:-1000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ninja -C "$build" tests/gen_log tests/bench_ingest tests/bench_jsonc_lines >/dev/null
log=$dir/big.log
"$build/tests/gen_log" "$size" >"$log"
cat "$log" >/dev/null # into the page cache, for all of them

seconds() {
    begin=$(date +%s.%N)
    "$@" >"$dir/out" 2>&1 || true
    echo "$(date +%s.%N) - $begin" | bc
}

ours=$(seconds "$build/tests/bench_ingest" "$log" "$dir/case.strand")
printf 'import: '; cat "$dir/out"
printf '%-28s %8s  %s\n' 'beside' 'seconds' 'import takes'
compare() {
    name=$1
    shift
    if ! command -v "$1" >/dev/null; then
        printf '%-28s %8s\n' "$name" 'not here'
        return
    fi
    theirs=$(seconds "$@")
    printf '%-28s %8.2f  %.2f times as long\n' "$name" "$theirs" "$(echo "$ours / $theirs" | bc -l)"
}
compare 'wc -l' wc -l "$log"
compare 'sha256sum' sha256sum "$log"
compare 'cp' cp "$log" "$dir/copy"
compare 'zstd -1 (one thread)' zstd -1 -q --single-thread -c "$log"
compare 'jq -c .id' jq -c .id "$log"
compare 'json-c, each line' "$build/tests/bench_jsonc_lines" "$log"
mkdir "$dir/home" # lnav remembers what it has read
compare 'lnav -n' env HOME="$dir/home" XDG_CONFIG_HOME="$dir/home" TMPDIR="$dir/home" lnav -n "$log"
printf 'the case is %s of the log\n' "$(echo "scale=2; $(stat -c %s "$dir/case.strand") / $(stat -c %s "$log")" | bc)"
