# Four threads at once: nothing is lost in the per-CPU tables.  What the kernel skips, where it
# takes a CPU away from a program (Linux 7), is told; some of that is other processes' calls.
. "$suite/lib.sh"
trace_calls 'syscall::getppid:entry /pid == $1/ { @["entry"] = count(); } syscall::getppid:return /pid == $1/ { @["return"] = count(); }' getppid 50000 4 |
	awk '/drops? of syscall probes that fired while their program ran on that CPU$/ { skipped += $2; next }
		NF == 2 { count[$1] = $2 }
		{ lines = lines $0 "\n" }
		END {
			missing = 400000 - count["entry"] - count["return"]
			if (count["entry"] <= 200000 && count["return"] <= 200000 && missing <= skipped)
				print "200000 entries and returns, counted or skipped by the kernel"
			else
				print lines skipped + 0 " skipped"
		}'
