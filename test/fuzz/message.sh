#!/bin/sh
# Fuzz the reader of the fleet's messages: message.sh TARGET SECONDS RATE MERGE_TEST
#
# The seeds are messages of made-up hosts, which the unit test of the merge law
# writes; the byte of their version is the target's own.
set -eu
target=$1
seconds=$2
rate=$3
merge_test=$4
here=$(dirname "$0")
. "$here/length.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus"
"$merge_test" "$work/corpus" > "$work/said"
ASAN_OPTIONS=detect_leaks=1 "$target" $length -timeout=60 \
	-rss_limit_mb=2048 -max_len=16384 -artifact_prefix="$work/" \
	-print_final_stats=1 "$work/corpus" \
	> "$work/log" 2>&1 && { tail -n 8 "$work/log"; exit 0; }
tail -n 60 "$work/log"
for found in "$work"/crash-* "$work"/leak-* "$work"/timeout-* "$work"/oom-*; do
	[ -f "$found" ] || continue
	cp "$found" "$here/../../build/" 2>/dev/null || true
	echo "input that fails: build/$(basename "$found")"
done
exit 1
