# A terminal obeys control characters.  Those of the traced system become visible
# on it, whatever they are in; the program's own formats and literals, and UTF-8,
# stay; files and pipes get every byte.
# @anykernel: what is read, and shown, does not depend on the kernel
. "$suite/hostile.sh"
[ -e /dev/pts/ptmx ] || skip "no pseudo-terminals here"
on_terminal() { python3 "$test/on_terminal.py" "$@" | cat -v; }
nasty=$(printf 'x\033]0;y\a')
run_hostile "$nasty" 'rename=inner:in\x1b[31mner\x9b\nN' 'rename=outer:\xc3\xa9\xe4\xb8\xad\xe2\x80\xaeouter'
plain() { sed 's/pid[0-9][0-9]*/pid{number}/; s/0x[0-9a-f]*/{address}/g; s/+{address}//; /libc/d; /^$/d'; }

echo "-- stack, symbol, module, execname"
program='syscall::getppid:entry /pid == $target/ { printf("\033[1m%s\033[0m|%-24s|%.3s|\n", execname, execname, execname); ustack(4); exit(0); }'
on_terminal "$dtrace" -p $target -qn "$program" | plain
echo "-- in a pipe"
"$dtrace" -p $target -qn "$program" | cat -v | plain

echo "-- keys, literals, values"
on_terminal "$dtrace" -p $target -qn 'syscall::getppid:entry /pid == $target && !n++/ {
	trace("\033[H"); printf("%s", "\033[2J"); printf("%c|%s\n", 7, strjoin("\r", "line\n\ttab"));
	@[execname] = count(); @s[ustack(2)] = count(); @a[execname] = sum(2); }
	tick-10ms /n/ { printa("%s %@d\n", @a); exit(0); }' | plain

echo "-- names of probes"
on_terminal "$dtrace" -p $target -n 'pid$target:a.out:in*:entry { trace(probefunc); exit(0); }' | plain
on_terminal "$dtrace" -p $target -qn 'pid$target:a.out:in*:entry { @[probefunc, probemod] = count(); exit(0); }' | plain
on_terminal "$dtrace" -p $target -ln 'pid$target:a.out:in*:entry' | plain | sed '1d; s/^ *[0-9]* *//'
"$dtrace" -p $target -ln 'pid$target:a.out:in*:entry' | plain | sed '1d; s/^ *[0-9]* *//' | cat -v
on_terminal "$dtrace" -p $target -qFn 'pid$target:a.out:in*:entry { exit(0); }' | plain

echo "-- messages"
on_terminal "$dtrace" -s "no${nasty}such"
on_terminal "$dtrace" -p $target -n "pid\$target:a.out:no${nasty}:entry" | plain
on_terminal "$dtrace" -c "/nonexistent/$nasty" -n BEGIN

echo "-- structured output is escaped everywhere"
on_terminal "$dtrace" -x oformat=ndjson -p $target -n 'syscall::getppid:entry /pid == $target/ { trace(execname); exit(0); }' | grep -o 'x.u001b[^"]*'
"$dtrace" -x oformat=ndjson -p $target -n 'syscall::getppid:entry /pid == $target/ { usym(ucaller); exit(0); }' 2>/dev/null | cat -v | grep -o '"values.*' | cut -c 1-80
on_terminal "$dtrace" -x oformat=csv -p $target -n 'syscall::getppid:entry /pid == $target/ { @[execname] = count(); exit(0); }'

echo "-- commands and files get what they are given"
on_terminal "$dtrace" -p $target -wqn 'syscall::getppid:entry /pid == $target/ { system("printf %%s '"'%s'"' | od -c | head -1", execname); exit(0); }'
on_terminal "$dtrace" -p $target -wqn 'syscall::getppid:entry /pid == $target/ { freopen("file"); printf("%s\n", execname); freopen(""); printf("%s\n", execname); exit(0); }'
cat -v file
