#!/bin/sh
# Fuzz what is read of processes with a runtime: runtimes.sh TARGET SECONDS RATE
#
# The seeds are the worlds of the unit tests, which the target writes itself.
set -eu
target=$1
seconds=$2
rate=$3
here=$(dirname "$0")
. "$here/target.sh"
RUNTIME_SEEDS="$work/corpus" "$target" -runs=0 > "$work/said" 2>&1
# One name, or one piece of what is kept, is never large.
run_target 36864 -malloc_limit_mb=64
