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
. "$here/target.sh"
for program in "$here"/../command/recording/forms/*.d; do
	"$dtrace" -x record="$work/recording" -s "$program" \
		-c 'dd if=/dev/zero of=/dev/null count=40 status=none' > "$work/said" 2>&1 || :
	for choice in 000 002 020 075 003; do
		# the line in front is the target's own
		{ printf "\\$choice"; tail -n +2 "$work/recording"; } > "$work/corpus/$(basename "$program").$choice"
	done
done
run_target 65536
