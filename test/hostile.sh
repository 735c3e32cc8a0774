# SPDX-License-Identifier: Apache-2.0
# For tests of programs that mean no good: . "$suite/hostile.sh"
. "$suite/lib.sh"
trap 'kill $started 2>/dev/null' EXIT
started=

# A program NAME, made hostile by changes (elf.py), that runs: $target.
#	run_hostile NAME [CHANGE ...]
run_hostile() {
	name=$1
	shift
	[ -e honest ] || gcc -g -O1 -fno-omit-frame-pointer -Wl,--build-id -o honest "$suite/runtime/hostile/spin.c" || exit 1
	python3 "$suite/runtime/hostile/elf.py" honest "$name" "$@" || exit 1
	"./$name" &
	target=$!
	started="$started $target"
	for _ in $(seq $looks); do
		[ "$(readlink "/proc/$target/exe")" = "$PWD/$name" ] && return
		sleep 0.02
	done
	echo "$name does not run"
	exit 1
}

# One stack of each process, without offsets and what is the C library's.
#	stacks OPTION ... PID ...
stacks() {
	options=
	while [ "${1#-}" != "$1" ]; do
		options="$options $1 $2"
		shift 2
	done
	# shellcheck disable=SC2086
	"$dtrace" -q $options -n "syscall::getppid:entry /($(printf 'pid == %d || ' "$@") 0) && !seen[pid]/
		{ seen[pid] = 1; n++; ustack(4); }
		tick-10ms /n == $#/ { exit(0); }" > out 2> err
	status=$?
	grep '`' out | grep -v 'libc' | sed 's/+0x[0-9a-f]*//; s/^ *//; s/`0x[0-9a-f]*/`{address}/'
	cat err
	[ $status = 0 ] || echo "status $status"
}
