# How long a fuzz target runs, for the scripts beside: sets $length.
#
# With FUZZ_SEED the inputs are the same every time, so there must be as many of
# them: $rate inputs, what a common machine does, for each of $seconds.  Without
# it the inputs are new, and time decides.
if [ "${FUZZ_SEED:-0}" = 0 ]; then
	length="-max_total_time=$seconds"
else
	length="-runs=$((seconds * rate)) -seed=$FUZZ_SEED"
fi
