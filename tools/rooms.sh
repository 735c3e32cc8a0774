#!/bin/sh
# Dependencies between the rooms of src/ point one way.  Fails and names the
# include that points the wrong way.
#
#	base <- btf <- lang <- ir <- bpf <- the middle rooms <- run <- api <- cmd
set -eu
rank() {
	case $1 in
	base) echo 0 ;; btf) echo 1 ;; lang) echo 2 ;; ir) echo 3 ;;
	bpf) echo 4 ;;
	probe|provider|builtin|agg|out|proc|usdt) echo 5 ;;
	run) echo 6 ;; api) echo 7 ;; cmd) echo 8 ;;
	*) echo 9 ;;
	esac
}
# Where a room may look upwards, and why.
allowed() {
	case "$1 -> $2" in
	"ir -> bpf/abi.h") ;;			# constants of the record layout
	"ir -> bpf/library.h") ;;		# the run-time library, at the top
	"ir -> bpf/functions.def") ;;
	"builtin -> run/aggregate.h") ;;	# printa() acts on the store
	"out -> run/aggregate.h") ;;
	*) return 1 ;;
	esac
}
status=0
for file in src/*/*.c src/*/*.h; do
	case $file in *_test.c) continue ;; esac
	room=${file#src/}
	room=${room%%/*}
	for include in $(sed -n 's/^#include "\([a-z]*\/[a-z_0-9.]*\)".*/\1/p' "$file"); do
		other=${include%%/*}
		[ "$(rank "$other")" -le "$(rank "$room")" ] && continue
		allowed "$room" "$include" && continue
		echo "$file: $room may not include $include" >&2
		status=1
	done
done
exit $status
