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
. "$here/target.sh"
if [ "${5:-}" = whole ]; then
	cp "$seed" "$work/corpus/seed"
else
	strip -g -o "$work/corpus/seed" "$seed"
fi
longest=$(($(wc -c < "$work/corpus/seed") + 4096))
[ "$longest" -gt 65536 ] || longest=65536
run_target "$longest"
