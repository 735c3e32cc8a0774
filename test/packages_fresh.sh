# SPDX-License-Identifier: Apache-2.0
# Part of packages.sh: a fresh Debian 12, made by mmdebstrap, on this machine's kernel.
# What happens in it is in packages_user.sh, as the user "alice", who may use sudo.

# Runs a command in it; its mounts end with it.
inside() {
	unshare --mount sh -c '
		root=$1; shift
		mount --make-rprivate /
		mount --rbind /proc "$root/proc"; mount --rbind /sys "$root/sys"; mount --rbind /dev "$root/dev"
		mountpoint -q "$root/sys/kernel/tracing" || mount -t tracefs tracefs "$root/sys/kernel/tracing"
		exec chroot "$root" /usr/bin/env DEBIAN_FRONTEND=noninteractive \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
	' sh "$root" "$@"
}

# Made once; packages_container.sh uses it, too.
base_tar() {
	[ -e "$dir/base.tar" ] || mmdebstrap --mode=root --variant=minbase --include=sudo,ca-certificates bookworm "$dir/base.tar"
}

fresh_debian() {
	base_tar || return 1
	rm -rf "$root"
	mkdir "$root"
	tar -C "$root" -xf "$dir/base.tar"
	echo "127.0.0.1 localhost $(uname -n)" > "$root/etc/hosts"
	inside useradd -m -s /bin/bash alice
	echo 'alice ALL=(ALL) NOPASSWD: ALL' > "$root/etc/sudoers.d/alice"
	mkdir "$root/packages"
	cp "$packages"/dtrace_*.deb "$packages"/libdtrace1_*.deb "$packages"/libdtrace-dev_*.deb "$packages"/dtrace-toolkit_*.deb \
		"$packages"/dtrace-doc_*.deb "$packages"/dtrace-sdt-dev_*.deb "$root/packages"
	mkdir "$root/more-packages"
	cp "$packages"/dtrace-live_*.deb "$packages"/dtrace-lsp_*.deb "$root/more-packages"
	cp "$top/test/packages_user.sh" "$top/doc/guide/oneliners.md" "$root/home/alice"
}

ours="dtrace libdtrace1 libdtrace-dev dtrace-toolkit dtrace-doc dtrace-sdt-dev"
others="systemtap-sdt-dev iotop libbpf-tools"

install_ours() {
	inside sh -c 'dpkg -i /packages/*.deb'
}

as_alice() {
	inside su - alice -c "./packages_user.sh $1"
}

# As autopkgtest runs it on a machine of its own.
autopkgtest_demo() {
	tar -C "$root/tmp" -xf "$tarball"
	inside sh -c "cd /tmp/dtrace-$version && debian/tests/demo"
}

# Who answers to a name, seen from inside.
is_link_to() {
	[ "$(inside readlink -f "$1")" = "$2" ] || { echo "$1 is $(inside readlink -f "$1"), not $2"; return 1; }
}

names_are_ours() {
	is_link_to /usr/sbin/iotop /usr/sbin/iotop-dtrace && is_link_to /usr/sbin/execsnoop /usr/sbin/execsnoop-dtrace &&
		is_link_to /usr/bin/dtrace /usr/sbin/dtrace
}

# shellcheck disable=SC2086
others_beside() {
	inside apt-get update -qq && inside apt-get install -y -qq --no-install-recommends $others &&
		inside dpkg --verify $ours $others && is_link_to /usr/sbin/iotop /usr/sbin/iotop-py &&
		is_link_to /usr/sbin/execsnoop /usr/sbin/execsnoop && is_link_to /usr/bin/dtrace /usr/bin/dtrace &&
		inside execsnoop-dtrace --help | grep Usage:
}

# shellcheck disable=SC2086
ours_come_second() {
	inside dpkg -P $ours && inside dpkg --verify $others && install_ours && inside dpkg --verify $ours $others &&
		is_link_to /usr/bin/dtrace /usr/bin/dtrace && is_link_to /usr/sbin/execsnoop /usr/sbin/execsnoop
}

# shellcheck disable=SC2086
others_go() {
	inside dpkg -P $others && inside update-alternatives --auto dtrace && inside update-alternatives --auto execsnoop &&
		names_are_ours
}

# They need libraries that are not on every machine; apt gets them.
more_install() {
	inside sh -c 'apt-get install -y -qq --no-install-recommends /more-packages/*.deb' && inside dpkg --verify dtrace-live dtrace-lsp
}

# shellcheck disable=SC2086
nothing_remains() {
	inside dpkg -P dtrace-live dtrace-lsp $ours
	for path in usr/bin/dtrace usr/sbin/dtrace usr/sbin/iotop usr/sbin/execsnoop usr/sbin/dtlive usr/libexec/dtrace\
		etc/alternatives/dtrace etc/alternatives/iotop; do
		[ ! -e "$root/$path" ] && [ ! -L "$root/$path" ] || { echo "left: $path"; return 1; }
	done
}

step_fresh() {
	check "fresh: Debian 12" fresh_debian
	check "fresh: dpkg -i" install_ours
	check "fresh: the plain names are ours" names_are_ours
	check "fresh: ten tools, as a user with sudo" as_alice tools
	check "fresh: ten one-liners of the guide" as_alice one-liners
	check "fresh: the test of debian/tests" autopkgtest_demo
	check "fresh: $others install beside" others_beside
	check "fresh: ours install beside them" ours_come_second
	check "fresh: their names come back" others_go
	check "fresh: dtrace-live and dtrace-lsp with what they need" more_install
	check "fresh: the live page and the language server, as a user with sudo" as_alice more
	check "fresh: nothing remains" nothing_remains
}
