# Stacks through code that the process made after tracing had begun, writable or
# not, are whole from the first one on: of a command, of a process that is
# grabbed before it makes any, and of one that starts later.
. "$suite/lib.sh"
show() {
	sed 's/libc.so.6`0x[0-9a-f]*$/libc.so.6`(start)/; s/0x[0-9a-f]*$/(made)/; s/+(made)//; s/+0x[0-9a-f]*//; s/`_*libc_start_[a-z_]*\(@.*\)*/`(start)/' |
		awk '/^$/ { if (stack) count[stack]++; stack = ""; next }
			{ sub(/^ */, ""); stack = stack " " $0 }
			END { for (stack in count) print count[stack] stack }' | sort -n
}
calls='syscall::getppid:entry /execname == "makes"/ { ustack(); }'
for kind in writable protected; do
	echo "$kind, -c"
	"$dtrace" -qn "$calls" -c "$triggers/makes $kind 3" | show
	echo "$kind, -p"
	sh -c 'kill -STOP $$; exec "$0" "$1" 3' "$triggers/makes" $kind &
	target=$!
	until grep -q 'T (stopped)' /proc/$target/status; do sleep 0.05; done
	"$dtrace" -qn "$calls BEGIN { system(\"kill -CONT $target\"); }" -w -p $target | show
	echo "$kind, system-wide"
	"$dtrace" -qn "$calls BEGIN { system(\"$triggers/makes $kind 3 &\"); }
		syscall::exit_group:entry /execname == \"makes\"/ { exit(0); }" -w | show
done
