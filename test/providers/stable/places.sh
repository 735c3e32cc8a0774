# Modules and functions of other systems: a stable probe is found by its name, with a
# note.  What is here, what a function alone would choose, and other providers are taken
# as they are written.
. "$suite/lib.sh"
not_in_guests
for probe in io:genunix::start sched:unix:resume:off-cpu proc::proc_exit:exit \
	io:vmlinux::start vfs:zfs:vop_read:entry proc::proc_exit: vfs::fop_read:entry \
	proc:genunix::nosuch rawtp:genunix::sched_switch; do
	"$dtrace" -en $probe 2>&1 | grep '^dtrace' || echo "$probe is here"
done
echo "not with -q"
"$dtrace" -qen 'io:genunix::start, proc::proc_exit:exit' 2>&1
printf '#pragma D option quiet\nio:genunix::start { }\n' > quiet.d
"$dtrace" -es quiet.d 2>&1
echo "listed and traced"
"$dtrace" -ln proc::proc_exit:exit 2>&1 | awk '{ print $2, $3, $4, $5 }'
"$dtrace" -n 'proc:genunix:proc_exit:exit /pid == $target/ { trace(probemod); }' -c /bin/true 2>&1 |
	awk '/^dtrace: no/ || /vmlinux/ { $1 = $1; print }' | sed 's/^[0-9]* [0-9]* //'
echo "libraries"
"$dtrace" -n 'pid$target:libc.so.1:close:entry, pid$target:libc.so.1:close:return { @[probemod, probename] = count(); }' \
	-c "$triggers/calls now close 3" 2>&1 | sed 's/process [0-9]*/process N/; /has exited/d'
"$dtrace" -qn 'pid$target:libc.so.1:close:entry { trace(1); exit(0); }' -c "$triggers/calls now close 3" 2>&1
