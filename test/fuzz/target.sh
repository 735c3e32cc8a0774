# A run of a fuzz target, for the scripts beside: $work and $work/corpus, for its seeds, are
# there; run_target runs $target.
#
# With FUZZ_SEED the inputs are the same every time, so there must be as many of
# them: $rate inputs, what a common machine does, for each of $seconds.  Without
# it the inputs are new, and time decides.
if [ "${FUZZ_SEED:-0}" = 0 ]; then
	length="-max_total_time=$seconds"
else
	length="-runs=$((seconds * rate)) -seed=$FUZZ_SEED"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus"

# run_target LONGEST [OPTION ...]: inputs have at most so many bytes; a finding is shown and kept
# in build/, and ends the script.
run_target() {
	longest=$1
	shift
	ASAN_OPTIONS=detect_leaks=1 "$target" $length -timeout=60 "$@" \
		-rss_limit_mb=2048 -max_len="$longest" -artifact_prefix="$work/" \
		-print_final_stats=1 "$work/corpus" \
		> "$work/log" 2>&1 && { tail -n 8 "$work/log"; return 0; }
	tail -n 60 "$work/log"
	for found in "$work"/crash-* "$work"/leak-* "$work"/timeout-* "$work"/oom-*; do
		[ -f "$found" ] || continue
		cp "$found" "$here/../../build/" 2>/dev/null || true
		echo "input that fails: build/$(basename "$found")"
		od -c "$found" | head -n 30
	done
	exit 1
}
