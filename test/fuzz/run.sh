#!/bin/sh
# Fuzz the compiler front end: run.sh TARGET SECONDS RATE
#
# The seeds are every D text among the golden tests and the libraries, each
# behind a byte that says how it arrives, and a dictionary of D's words.
set -eu
target=$1
seconds=$2
rate=$3
here=$(dirname "$0")
. "$here/length.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus"
for file in "$here"/../*/*.d "$here"/../../dlib/*.d "$here"/corpus/*; do
	[ -f "$file" ] || continue
	name=$(echo "$file" | cksum | cut -d' ' -f1)
	{ printf '\000'; cat "$file"; } > "$work/corpus/$name"
done
ASAN_OPTIONS=detect_leaks=1 "$target" $length -timeout=60 \
	-rss_limit_mb=2048 -max_len=4096 -dict="$here/d.dict" \
	-artifact_prefix="$work/" -print_final_stats=1 "$work/corpus" \
	> "$work/log" 2>&1 && { tail -n 8 "$work/log"; exit 0; }
tail -n 60 "$work/log"
for found in "$work"/crash-* "$work"/leak-* "$work"/timeout-*; do
	[ -f "$found" ] || continue
	cp "$found" "$here/../../build/" 2>/dev/null || true
	echo "input that fails: build/$(basename "$found")"
	od -c "$found" | head -n 30
done
exit 1
