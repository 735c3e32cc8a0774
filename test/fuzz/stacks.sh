#!/bin/sh
# Fuzz the readers and writers of stacks: stacks.sh TARGET SECONDS RATE
#
# The seeds are the texts in the golden tests of stackvis, for each reader, behind
# the bytes that say which reader and which writer.
set -eu
target=$1
seconds=$2
rate=$3
here=$(dirname "$0")
. "$here/length.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus"
for file in "$here"/../command/stackvis/*.sh "$here"/../command/stackvis/*.out; do
	for choice in 000 001 002 003 004 005 006; do
		{ printf "\\$choice\\$choice"; cat "$file"; } > "$work/corpus/$(basename "$file").$choice"
		{ printf "\\$choice\\202"; cat "$file"; } > "$work/corpus/$(basename "$file").$choice.difference"
	done
done
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
