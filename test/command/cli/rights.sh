# @once: what a user may do depends on the kernel's version, not on the build
# What --check says to a user with some capabilities is what he can do, and what
# he cannot do is refused with the capability that it needs.
. "$suite/lib.sh"
place=$(mktemp -d)
trap 'kill $other 2> /dev/null; rm -rf "$place"' EXIT
chmod 755 "$place"
cp "$dtrace" "$triggers/calls" "$triggers/sites" "$place"
cd "$place" || exit 1
# root's
./sites > /dev/null &
other=$!
await_ready $other
# tracefs as distributions mount it: for root only; another tracer may have mounted it otherwise
cat > inside.sh <<'END'
umount -q /sys/kernel/tracing
mount -t tracefs -o mode=0700 tracefs /sys/kernel/tracing
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
as() {
	rights=$1
	shift
	case $rights in
	none) $user "$@" ;;
	root) "$@" ;;
	*) caps=$(echo "$rights" | sed 's/[a-z_]*/+&/g')
		$user --inh-caps="$caps" --ambient-caps="$caps" "$@" ;;
	esac
}
# a program for each provider, and what it said: fine, or the capability
try() {
	name=$1
	shift
	if as $rights timeout 60 ./dtrace -qn "$@" > out 2> err; then
		said=fine
	else
		said=$(grep -o 'CAP_[A-Z_]*' err | sort -u | tr '\n' ' ')
		[ "$said" ] || said=$(cat err)
	fi
	checked=$(awk -v name="${name%-*}" '$1 == name { $1 = ""; print }' check)
	# newer kernels need less to look at static probes
	case $name,$checked,$said in
	"usdt-other, not here,CAP_"*|"usdt-other, works in part,CAP_SYS_PTRACE "|"usdt-other, works,fine") echo "  $name: as said" ;;
	*) echo "  $name:$checked, ${said% }" ;;
	esac
}
for rights in none bpf perfmon bpf,perfmon bpf,perfmon,sys_ptrace bpf,perfmon,dac_read_search bpf,perfmon,sys_ptrace,dac_read_search,syslog root; do
	echo "$rights"
	as $rights ./dtrace --check > check
	try dtrace 'BEGIN { exit(0); }'
	try profile 'profile-997 { exit(0); }'
	try syscall 'syscall:::entry { exit(0); }'
	try proc 'proc:::exec-success { exit(0); }' -c "env true"
	try ip 'ip:::send { exit(0); } tick-10ms { exit(0); }'
	try pid-own 'pid$target::main:entry { exit(0); }' -c "./calls now getppid 1"
	try pid-other 'pid$1::main:entry { exit(0); } tick-10ms { exit(0); }' $other
	try usdt-own 'sites$target:::wide { exit(0); }' -c "./sites now 1" | sed 's/ works in part,/ works,/'
	try usdt-other 'sites$1:::wide { exit(0); } tick-10ms { exit(0); }' $other
	try rawtp-named 'rawtp:sched::sched_switch { exit(0); }'
	try rawtp-glob 'rawtp:sched::sched_switc* { exit(0); }'
	try sdt 'sdt:sched::sched_switch { exit(0); }'
	try name 'BEGIN { trace(&`do_exit); exit(0); }'
	# also a matter of how the kernel is locked down
	[ $rights = root ] || try write 'syscall::getppid:entry /pid == $target/ { copyout(alloca(8), 0, 8); exit(0); }' -w -c "./calls now getppid 1"
	as $rights ./dtrace -qn 'profile-997 /arg0/ { sym(arg0); exit(0); }' 2>&1 | grep -o 'no names.*(needs CAP_[A-Z]*'
done
true
END
other=$other unshare -m --propagation private sh inside.sh
