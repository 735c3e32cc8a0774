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
. "$here/target.sh"
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
run_target 65536
