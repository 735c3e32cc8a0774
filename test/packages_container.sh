# SPDX-License-Identifier: Apache-2.0
# Part of packages.sh: the image of packaging/Containerfile, on a Debian 12 that
# mmdebstrap makes, and dtrace in it with exactly the capabilities of doc/container.md.

# podman wants a short path for what runs.  runc works with old and new control groups.
storage="--root $dir/containers --runroot /run/dtrace-packages --runtime runc --cgroup-manager cgroupfs"

# shellcheck disable=SC2086
image_builds() {
	base_tar && podman $storage import "$dir/base.tar" localhost/base &&
		podman $storage build --isolation=chroot --build-arg BASE=localhost/base -t dtrace \
			-f "$top/packaging/Containerfile" "$packages"
}

# The command line that doc/container.md names, with this storage.
# shellcheck disable=SC2046,SC2086
in_container() {
	options=$(sed -n 's/^    podman run \(.*\) dtrace \\*$/\1/p' "$top/doc/container.md" | head -n 1)
	[ -n "$options" ] && timeout 300 podman $storage run $options $more dtrace "$@"
}

sees_the_machine() {
	in_container -qn 'syscall:::entry /execname == "packages-load"/ { exit(0); } tick-60s { exit(1); }'
}

names_functions() {
	in_container -qn 'sched:::off-cpu { stack(); exit(0); }' | grep 'vmlinux`'
}

traces_a_process() {
	in_container -qn 'pid$target:libc:read:entry { exit(0); } tick-60s { exit(1); }' -p "$1"
}

runs_a_tool() {
	more="$more --entrypoint=/usr/sbin/opensnoop" in_container --help | grep Usage:
}

step_container() {
	# a machine that is a container itself may not raise limits
	more='--ulimit nofile=4096:4096 --ulimit nproc=4096:4096 --network=none'
	cp /bin/dd "$dir/packages-load"
	"$dir/packages-load" if=/dev/zero of=/dev/null bs=64 2> /dev/null & load=$!
	trap 'kill $load' EXIT
	check "container: the image builds" image_builds
	check "container: system calls of the machine" sees_the_machine
	check "container: functions of the kernel have names" names_functions
	check "container: a process of the machine" traces_a_process $load
	check "container: a tool" runs_a_tool
	kill $load
	trap - EXIT
	# shellcheck disable=SC2086
	podman $storage rmi --all --force > /dev/null 2>&1 || :
}
