# --complete offers options, their values, probes and the parameters of scripts.
cat > slower.d <<'END'
#pragma D parameter min_time time = 10ms "limit"
#pragma D parameter name string "program"
#pragma D parameter wide bool "long lines"
#pragma D parameter process pid = 0 "this one"
BEGIN { exit(0); }
END
c() { echo "[$*]"; "$dtrace" --complete "$@"; }
c
c -
c --
c --re
c --replay ''
c -x bufp
c -x bufpolicy=
c -x quiet
c -x quiet=
c -qxbufpolicy=r
c -n sysc
c -n syscall::openat:
c -n 'BEGIN, syscall:vmlinux:preadv:'
c -n 'syscall:::entry { trace'
c -n B
c -P sys
c -P sys:
c -m syscall:
c -f syscall::preadv
c -n nosuch:
c -n 'BEGIN { trace(curthread->real_par'
c -n 'BEGIN { self->first = 1; }' -n 'END { trace(self->f'
c -n BEGIN -n 'END { execn'
c -qn'BEGIN /strle'
c -i '1 { execn'
c -n 'BEGIN {
	self->first = 1;
	trace(self->fi'
sleep 1000 & pid=$!
until [ "$(cat /proc/$pid/comm)" = sleep ]; do :; done
"$dtrace" --complete -p $pid | sed -n "s/^$pid\t/PID /p"
"$dtrace" --complete -p $pid -n 'pid$target:libc.so.6:mall' | grep malloc:
c -s slow
c -s slower.d --
c -qs slower.d --w
c -s slower.d --n
c -s slower.d --name=x --min
c -s slower.d --name --
c -s slower.d --wide --w
c -s slower.d --min_time --
c -s slower.d -- --
c -n '#pragma D parameter inner int "x"
BEGIN' --i
c -s nosuch.d --
echo '#pragma D parameter' > wrong.d
c -s wrong.d --h
sed 's/name string/name -n string/; s/wide bool/wide -x bool/' slower.d > letters.d
c -s letters.d -x
c -s letters.d -n sysc
c -s letters.d -n a --w
c -s slower.d --process $pid | sed -n "s/^$pid\t/PID /p"
# Tools: a script, and a command that explains itself.
printf '#!%s -s\n' "$dtrace" | cat - letters.d > tool
printf '#!/bin/sh\nprintf "Usage: x\\n\\t-p pid - this one\\n\\t--off-cpu - when it waits\\n\\t-k, -u - one or the other\\n"' > command
chmod +x tool command
f() { echo "[$*]"; PATH=.:$PATH "$dtrace" --complete-for "$@"; }
f tool --w
f ./tool -n
f command -
f command --o
f command -p $pid | sed -n "s/^$pid\t/PID /p"
f command x
f nosuch -
kill $pid
