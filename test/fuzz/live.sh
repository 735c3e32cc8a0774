#!/bin/sh
# Fuzz what dtlive reads: live.sh TARGET SECONDS RATE DTRACE
#
# The seeds are requests of tests, metrics with a request for each, paths, and what workers write:
# recordings of real runs (test/command/recording/forms). The first byte says which it is.
set -eu
target=$1
seconds=$2
rate=$3
dtrace=$4
here=$(dirname "$0")
. "$here/length.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus"
n=0
# seed NAME BYTE: of what comes
seed() {
	{ printf "$2"; cat; } > "$work/corpus/$1"
}
grep -rhoE "'\{\"(metric|program)\".*\}'" "$here"/../live --include='*.sh' | tr -d "'" | while read -r body; do
	n=$((n + 1))
	printf '%s' "$body" | seed "body$n" '\000'
done
for file in "$here"/../../metrics/*.metric; do
	{ cat "$file"; printf -- '\n--\n{"by":["latency","execname"],"where":{"or":[{"eq":["execname","sh"]},{"gt":["latency",1000]}]},"pid":1}'; } | seed "$(basename "$file")" '\001'
done
for path in 'GET /api/1/status' 'PATCH /api/1/instrumentations/12' 'POST /api/1/instrumentations/3/stop'; do
	printf '%s' "$path" | seed "${path%% *}" '\002'
done
for program in "$here"/../command/recording/forms/*.d; do
	"$dtrace" -x record="$work/recording" -x interval=100ms -s "$program" \
		-c 'dd if=/dev/zero of=/dev/null count=40 status=none' > "$work/said" 2>&1 || :
	tail -n +2 "$work/recording" | seed "$(basename "$program")" '\003'
done
ASAN_OPTIONS=detect_leaks=1 "$target" $length -timeout=60 \
	-rss_limit_mb=2048 -max_len=65536 -artifact_prefix="$work/" \
	-print_final_stats=1 "$work/corpus" \
	> "$work/log" 2>&1 && { tail -n 8 "$work/log"; exit 0; }
tail -n 60 "$work/log"
for found in "$work"/crash-* "$work"/leak-* "$work"/timeout-*; do
	[ -f "$found" ] || continue
	cp "$found" "$here/../../build/" 2>/dev/null || true
	echo "input that fails: build/$(basename "$found")"
done
exit 1
