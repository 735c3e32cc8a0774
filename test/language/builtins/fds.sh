# fds[] names every kind of descriptor: files with their paths over mount points,
# sockets and pipes by number, as /proc/PID/fd does; cwd and root.
. "$suite/lib.sh"
mkdir -p deep/er
file=$PWD/deep/er/name
"$triggers/files" "$file" &
target=$!
await_ready $target
"$dtrace" -qn 'syscall::getppid:entry /pid == $1/ {
	printf("10 %s %s %d %x\n", fds[10].fi_pathname, fds[10].fi_name, fds[10].fi_offset, fds[10].fi_oflags & 0xfff);
	printf("11 %s\n", fds[11].fi_pathname);
	printf("12 %s\n", fds[12].fi_pathname);
	printf("13 %s\n", fds[13].fi_pathname);
	}
	syscall::getppid:entry /pid == $1/ {
	printf("14 %s\n", fds[14].fi_pathname);
	printf("15 %s %s\n", fds[15].fi_pathname, fds[15].fi_mount);
	printf("16 %s\n", fds[16].fi_pathname); }
	syscall::getppid:entry /pid == $1/ {
	printf("dir %s\n", fds[10].fi_dirname);
	printf("fs %s %s %s\n", fds[11].fi_fs, fds[12].fi_fs, fds[15].fi_name);
	printf("cwd %s\nroot %s\n", cwd, root);
	printf("none %s %s\n", fds[99].fi_name, fds[99999999].fi_pathname);
	exit(0); }
	tick-10ms /!armed/ { armed = 1; freopen("armed"); printf("armed\n"); freopen(""); }' -w "$target" > out 2>&1 &
tracer=$!
await armed armed
kill -USR1 "$target"
wait "$tracer"
for fd in 10 11 12 13 14 15 16; do
	true_path=$(readlink /proc/$target/fd/$fd)
	line=$(sed -n "s/^$fd //p" out)
	[ "${line%% *}" = "$true_path" ] && echo "$fd as in /proc" || echo "$fd: $line, not $true_path"
done
[ "$(sed -n 's/^cwd //p' out)" = "$(readlink /proc/$target/cwd)" ] && echo "cwd as in /proc"
kill -USR1 "$target"
wait "$target"
sed -n "s,$PWD,,; s/^10 [^ ]* //p; s/^15 [^ ]* //p; /^dir\|^fs\|^root\|^none/p" out
