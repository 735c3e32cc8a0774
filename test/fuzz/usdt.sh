#!/bin/sh
# Fuzz a reader of object files (USDT notes, unwind tables, DWARF, Go):
#	usdt.sh TARGET SECONDS RATE SEED [whole]
#
# The seed is a small program, without what is only for debuggers unless it is
# wanted whole.
set -eu
target=$1
seconds=$2
rate=$3
seed=$4
here=$(dirname "$0")
. "$here/length.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus"
if [ "${5:-}" = whole ]; then
	cp "$seed" "$work/corpus/seed"
else
	strip -g -o "$work/corpus/seed" "$seed"
fi
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
