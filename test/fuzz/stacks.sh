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
. "$here/target.sh"
for file in "$here"/../command/stackvis/*.sh "$here"/../command/stackvis/*.out; do
	for choice in 000 001 002 003 004 005 006; do
		{ printf "\\$choice\\$choice"; cat "$file"; } > "$work/corpus/$(basename "$file").$choice"
		{ printf "\\$choice\\202"; cat "$file"; } > "$work/corpus/$(basename "$file").$choice.difference"
	done
done
run_target 16384
