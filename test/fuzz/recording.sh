#!/bin/sh
# Fuzz the reader of recordings: recording.sh TARGET SECONDS RATE DTRACE
#
# The seeds are recordings of real runs (test/command/recording/forms), each
# behind a byte that says into which sink they are replayed.
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
for program in "$here"/../command/recording/forms/*.d; do
	"$dtrace" -x record="$work/recording" -s "$program" \
		-c 'dd if=/dev/zero of=/dev/null count=40 status=none' > "$work/said" 2>&1 || :
	for choice in 000 002 020 075 003; do
		# the line in front is the target's own
		{ printf "\\$choice"; tail -n +2 "$work/recording"; } > "$work/corpus/$(basename "$program").$choice"
	done
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
