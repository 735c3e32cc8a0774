# A stack through the vDSO: samples of a process that only asks for the time.
. "$suite/lib.sh"
"$triggers/handler" clock &
target=$!
await_exec $target "$triggers/handler"
"$dtrace" -qn 'profile-997 /pid == $target && arg1/ { @[ustack()] = count(); n++; } tick-10ms /n >= 100/ { exit(0); }' -p "$target" > out
kill "$target"
wait "$target" 2>/dev/null
awk '/`|\[ / { stack = stack " " $1; next }
	/^ +[0-9]+$/ { gsub(/\+0x[0-9a-f]*/, "", stack); all += $1
		if (stack ~ /^( \[vdso\]`[^ ]*)+ libc.so.6`[^ ]*clock_gettime[^ ]* handler`middle handler`outer handler`main .*_start$/) through += $1
		if (stack ~ /handler`middle handler`outer handler`main .*_start$/) whole += $1
		stack = "" }
	END { print (through > 0 ? "through the vDSO" : "none through the vDSO"); print (whole >= all * 0.99 ? "whole" : whole " of " all) }' out
