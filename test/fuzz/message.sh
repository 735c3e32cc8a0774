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
. "$here/target.sh"
"$merge_test" "$work/corpus" > "$work/said"
run_target 16384
