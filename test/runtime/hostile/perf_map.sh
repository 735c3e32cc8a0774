# Anybody can put a map of names into /tmp: it must be a regular file of the
# process's user or root, and lines that make no sense are left out.  Each
# process here is one of nobody's; a name that is not believed is an address.
. "$suite/lib.sh"
cases="own root other fifo link directory everything wraps huge overlap garbage long hole"
cp "$triggers/made" made
chmod 755 . made
for case in $cases; do
	setpriv --reuid=65534 --clear-groups ./made &
	pid=$!
	map=/tmp/perf-$pid.map
	pids="$pids $pid" maps="$maps $map"
	rm -rf "$map"
	good='600000000 40 named'
	case $case in
	own) echo "$good" > "$map" && chown 65534 "$map" ;;
	root) echo "$good" > "$map" ;;
	other) echo "$good" > "$map" && chown 1 "$map" ;;
	fifo) mkfifo "$map" ;;
	link) echo "$good" > linked && ln -s "$PWD/linked" "$map" ;;
	directory) mkdir "$map" ;;
	everything) echo '0 ffffffffffffffff X' > "$map" ;;
	wraps) printf '600000000 ffffffffffffffff X\n5ffffffff fffffffa00000002 X\n' > "$map" ;;
	huge) printf '0 7fffffffffff X\n0x600000000 10000000000000040 X\n-1 600000040 X\n' > "$map" ;;
	overlap) # the last line about an address holds, however many others start before it
		{
			printf '600000000 80 old\n600000001 80 named\n'
			for i in $(seq 2 9) $(seq 2 9) $(seq 2 9); do printf '60000000%d 2 small\n' $i; done
		} > "$map" ;;
	garbage)
		{
			head -c 300000 /dev/urandom | tr '\n' '\0'
			printf '\n\n600000000\n600000000 40\nzz 40 x\n600000000 40 named\0hidden\n'
			printf '600000000 40 unfinished'
		} > "$map" ;;
	long) printf '600000000 40 %0100000d\n' 0 > "$map" ;;
	hole) truncate -s 100G "$map" && printf '\n600000000 40 named\n' >> "$map" ;;
	esac
done
"$dtrace" -qn 'BEGIN { printf("armed\n"); }
	syscall::getppid:entry /execname == "made"/ { printf("%d\n", pid); ustack(4); printf("%d end\n", pid); }' > out 2> err &
tracer=$!
await out armed
for pid in $pids; do
	await_ready "$pid"
	kill -USR1 "$pid"
	await out "^$pid end"
	kill -USR1 "$pid"
	wait "$pid"
done
kill -INT $tracer
wait $tracer
rm -rf $maps
set -- $cases
for pid in $pids; do
	sed -n "/^$pid\$/,/^$pid end/p" out | awk -v name="$1" '$1 ~ /^0x60/ || $1 ~ /^named/ || length > 1000 {
		print name ": " (length > 1000 ? length " bytes" : $1) }' |
		sed 's/1[0-9][0-9][0-9] bytes/a name that was cut/'
	shift
done
cat err
