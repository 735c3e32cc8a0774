# SPDX-License-Identifier: Apache-2.0
# For .sh tests: . "$suite/lib.sh"

# A test of what is the same on all kernels need not run in slow guests.
not_in_guests() {
	[ -z "$DTRACE_TEST_GUEST" ] && return
	echo "nothing here depends on the kernel"
	exit 77
}

# How often one looks for what must come: for three minutes, because ten thousand
# probes can take one where much else goes on.
looks=${LOOKS:-3600}

# Wait until the file $1 contains $2; the test fails if it never does.
await() {
	for _ in $(seq $looks); do
		grep -q "$2" "$1" 2>/dev/null && return 0
		sleep 0.05
	done
	echo "waited in vain for $2 in $1:"
	cat "$1"
	exit 1
}

# Wait until process $1 waits in sigwait(), as triggers do when they have
# started: before that its loader still makes calls of its own.
await_ready() {
	for _ in $(seq $looks); do
		call=$(cut -d' ' -f1 "/proc/$1/syscall" 2>/dev/null)
		[ "$call" = 128 ] && return 0	# rt_sigtimedwait
		sleep 0.05
	done
	echo "process $1 did not become ready"
	exit 1
}

# Wait until process $1 runs program $2 (a path): before that it is a copy of the
# shell.  For programs that never wait.
await_exec() {
	for _ in $(seq $looks); do
		[ "/proc/$1/exe" -ef "$2" ] && return 0
		sleep 0.05
	done
	echo "process $1 did not become $2"
	exit 1
}

# Start `absent KIND [SECONDS]`: $target, ready; its output goes to ./went.
start_absent() {
	rm -rf absent.mount went
	"$triggers/absent" "$@" > went &
	target=$!
	await_ready $target
}

# Export directory $1 by an NFS server of this machine, until the test ends; $2 is
# where it will be mounted.  Messages are in ./setup.
nfs_export() {
	export=$1 client=$2
	# there is only one server, and tests run in parallel
	exec 9> /dev/shm/nfs.lock
	flock 9
	mkdir -p "$export" "$client"
	mount -t nfsd nfsd /proc/fs/nfsd 2>/dev/null
	rpcbind -w 2>/dev/null 9>&-
	exportfs -o rw,fsid=0,no_root_squash,insecure,no_subtree_check "127.0.0.1:$export" > setup 2>&1
	# no client had files open before: do not wait, or as little as possible
	echo 10 > /proc/fs/nfsd/nfsv4leasetime
	echo 10 > /proc/fs/nfsd/nfsv4gracetime
	rpc.nfsd 2 >> setup 2>&1
	rpc.mountd >> setup 2>&1 9>&-
	{ echo Y > /proc/fs/nfsd/v4_end_grace; } 2>/dev/null
	trap nfs_stop EXIT
}
nfs_stop() {
	umount -f -l "$client"
	rpc.nfsd 0
	exportfs -ua
	kill $(pidof rpc.mountd rpcbind)
	rm -rf "$export" "$client"
} > /dev/null 2>&1

# Trace `calls KIND N [THREADS]` with program $1 ($1 of D = its pid), from
# armed to its end; then interrupt dtrace and print what it wrote.
#	trace_calls 'D clauses' KIND N [THREADS]
trace_calls() {
	program=$1
	shift
	trace_trigger "" "$program" calls "$@"
}

# The same for any trigger that waits for SIGUSR1, with options for dtrace.
#	trace_trigger 'options' 'D clauses' TRIGGER [ARGUMENT ...]
trace_trigger() {
	options=$1 program=$2 trigger=$3
	shift 3
	"$triggers/$trigger" "$@" &
	target=$!
	await_ready $target
	rm -f out	# of the last run, which contains armed, too
	# shellcheck disable=SC2086
	"$dtrace" $options -qn "$program tick-10ms /!armed/ { armed = 1; printf(\"armed\\n\"); }" \
		"$target" > out 2>&1 &
	tracer=$!
	await out armed
	kill -USR1 "$target"
	wait "$target" || echo "$trigger: status $?"
	kill -INT "$tracer"
	wait "$tracer"
	status=$?
	# Programs at kernel functions are preempted in guests, and the kernel skips
	# firings of others meanwhile; what is missing of the trigger's own shows in
	# the counts.  Programs of other probes are not, or run side by side.
	skipped='^armed$'
	case $DTRACE_TEST_GUEST$program in
	1*fbt:*) skipped='^armed$\|of [a-z]*fbt probes that fired while their program ran on that CPU$' ;;
	esac
	grep -v "$skipped" out
	return $status
}

# How often system calls fired, by the line "count s firings" of file $2: $1, if the kernel skipped
# what is missing, where it takes a CPU away from a program (Linux 7).  That is told; some of it is
# other processes' calls.  The file is then without it.
#	count_calls ALL FILE
count_calls() {
	awk -v all="$1" -v rest="$2.rest" '
	/drops? of syscall probes that fired while their program ran on that CPU$/ { skipped += $2; next }
	/^count s [0-9]+$/ { count = $3 }
	{ print > rest }
	END { print (count < all && count + skipped >= all ? all : count) }' "$2"
	mv "$2.rest" "$2"
}

# Whether probes that interrupt each other lost or tore anything.  File $2 has
# a line "KIND number complement [string] string" of each firing, KIND one of
# the letters $1 (p: the profile), and at the end "count KIND firings".
#	check_firings LETTERS FILE
check_firings() {
	awk -v kinds="$1" '
	$0 ~ "^[" kinds "]" {
		lines++
		shown = $0; sub(/^[^[]*\[/, "", shown); sub(/\].*/, "", shown)
		again = $0; sub(/^[^]]*\] /, "", again)
		if ($2 + $3 != 16777215 || shown != again) print "torn: " $0
		next
	}
	/^count / {
		if (index(kinds, $2)) firings += $3
		if ($2 == "p") samples = $3
		next
	}
	/^dtrace: [0-9]+ drops on CPU/ { drops += $2; next }
	/^dtrace: .*drop/ { print "lost: " $0; next }
	!/^$/ { print "what: " $0 }
	END {
		print (samples > 0) ? "sampled" : "no samples"
		if (lines + drops == firings)
			print "lines and drops are the firings"
		else
			print lines " lines, " drops " drops, " firings " firings"
	}' "$2"
}

# Trace `frames [N]` with program $1 ($1 of D = its pid) and options $2 until
# its call of exit(); print what dtrace wrote, without offsets in functions.
trace_frames() {
	"$triggers/frames" ${3:-1} &
	target=$!
	await_ready $target
	rm -f armed
	"$dtrace" -q $2 -n "$1 tick-10ms /!armed/ { armed = 1; freopen(\"armed\"); printf(\"armed\\n\"); freopen(\"\"); }" \
		-w "$target" > out 2>&1 &
	tracer=$!
	await armed armed
	kill -USR1 "$target"
	wait "$tracer"
	status=$?
	kill -USR1 "$target"
	wait "$target"
	sed 's/+0x[0-9a-f]*//' out
	return $status
}

# Stacks without offsets in functions, and as they are whether or not the C
# library's debug package is there: what only that has a name for is (inner).
plain_stack() {
	sed 's/+0x[0-9a-f]*//; s/__GI_//; s/`__libc_start_main.*/`__libc_start_main/; s/libc.so.6`0x[0-9a-f]*$/libc.so.6`(inner)/
		s/`\(__libc_start_call_main\|__restore_rt\|__pthread_kill_[a-z]*\)/`(inner)/'
}

# Skip the test where this kernel does not have probe $1.
need_probe() {
	"$dtrace" -ln "$1" 2>/dev/null | grep -q "${1##*:}\$" && return 0
	echo "this kernel cannot feed $1"
	exit 77
}

# Skip the test, saying why.
skip() {
	echo "$1"
	exit 77
}

# Skip what takes minutes on an emulated machine.
need_speed() {
	grep -q 'QEMU' /proc/cpuinfo && skip "$1 takes too long on an emulated machine"
	return 0
}

# Java virtual machines besides the one that is `java`.
other_javas() {
	for home in /usr/lib/jvm/*; do
		[ -L "$home" ] || [ ! -x "$home/bin/java" ] ||
			[ "$(readlink -f "$home/bin/java")" = "$(readlink -f "$(command -v java)")" ] ||
			echo "$home/bin/java"
	done
}

# Skip where the kernel's functions cannot be traced.
needs_functions() {
	[ -e /sys/bus/event_source/devices/kprobe/type ] && return 0
	echo "this kernel has no kprobes"
	exit 77
}

# A disk of its own, in the file ./disk of size $1: $loop is its path, $disk its
# name.
own_disk() {
	truncate -s "$1" disk
	modprobe -q loop 2>/dev/null
	loop=$(losetup -f --show disk 2> error) || skip "no loop device: $(cat error)"
	disk=${loop##*/}
	trap 'umount -q $loop; losetup -d $loop' EXIT
}

# The same with an ext4 in it, mounted on ./there; nothing is written to it later
# except by the test.
own_ext4() {
	own_disk "$1"
	modprobe -q ext4 2>/dev/null
	mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 disk
	mkdir there
	mount $loop there 2> error || skip "no ext4: $(cat error)"
}

# lockstat(8) with options, while writers of the file ./shared wait for each
# other, until ./out has the pattern $1: they need not meet.
#	watch_writers PATTERN OPTION ...
watch_writers() {
	pattern=$1
	shift
	cat > run.sh <<'Y'
for i in 1 2 3 4; do dd if=/dev/zero of=shared bs=4M count=8 conv=notrunc status=none & done
wait
Y
	for _ in $(seq 20); do
		"$(dirname "$dtrace")/lockstat" "$@" sh run.sh > out 2> err
		grep -q "$pattern" out && return
	done
	echo "$*: no $pattern"
	cat out err
	exit 1
}
