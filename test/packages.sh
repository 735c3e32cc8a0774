#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What people install: `make check-packages` runs it as root.  It builds the tree several times.
#
#	packages.sh DIRECTORY [STEP ...]
#
# deb		source and binary packages build without network; lintian has nothing to say;
#		the base package is below 5 MB
# same		two builds in different directories are the same, bit by bit
# rpm		RPMs build, and have the files of `make install`
# fresh		a fresh Debian 12: dpkg -i, then tools and one-liners as a user with sudo;
#		systemtap-sdt-dev, iotop and libbpf-tools beside the packages
# container	the image has what dtrace needs, and its capabilities suffice
#
# Everything is of the last commit (make dist).  DIRECTORY keeps what was built.
set -eu
top=$(realpath "$(dirname "$0")/..")
mkdir -p "$1"
dir=$(realpath "$1")
shift
[ $# != 0 ] || set -- deb same rpm fresh container
packages=$dir/packages
root=$dir/root
passed=0 failed=0

say() {
	printf '%s\n' "$*"
}

# check WHAT COMMAND...: one result
check() {
	what=$1
	shift
	if "$@" > "$dir/said" 2>&1; then
		say "PASS $what"
		passed=$((passed + 1))
	else
		say "FAIL $what"
		tail -n 30 "$dir/said"
		failed=$((failed + 1))
	fi
}

version=$(sed -n 's/.*dtrace_package_version_ext\[\] = "\(.*\)";/\1/p' "$top/src/api/handle.c")
tarball=$dir/dtrace-$version.tar.xz

# ------------------------------------------------------------------- steps

below_5_mb() {
	size=$(dpkg-deb -f "$packages"/dtrace_*.deb Installed-Size)
	echo "installed: $size kB"
	[ "$size" -lt 5000 ]
}

lintian_is_silent() {
	lintian --allow-root --fail-on error,warning "$packages"/*.changes
}

source_unpacks() {
	rm -rf "$dir/unpacked"
	dpkg-source -x "$packages"/dtrace_*.dsc "$dir/unpacked" &&
		tar -xOf "$tarball" "dtrace-$version/Makefile" | cmp - "$dir/unpacked/Makefile"
}

step_deb() {
	rm -rf "$packages"
	check "deb: packages build without network" "$top/packaging/deb.sh" "$tarball" "$packages"
	check "deb: the source package unpacks" source_unpacks
	check "deb: lintian" lintian_is_silent
	check "deb: the base package is below 5 MB" below_5_mb
}

# build_in PLACE VARIABLE...: unpacks, builds and installs there
build_in() {
	place=$1
	shift
	mkdir -p "$place"
	tar -C "$place" -xf "$tarball"
	env "$@" make -C "$place/dtrace-$version" -s -j2 install DESTDIR="$place/root"
}

built_once() {
	[ -e "$dir/one/root" ] || build_in "$dir/one" LC_ALL=C
}

# The second time with another length of path, locale and time zone.
built_twice() {
	rm -rf "$dir/two"
	built_once && build_in "$dir/two/of/them" LC_ALL=C.UTF-8 TZ=Asia/Tokyo
	diff -r "$dir/one/root" "$dir/two/of/them/root" && [ "$(find "$dir/one/root" -type f | wc -l)" -gt 100 ]
}

no_paths_inside() {
	! grep -rlaF "$dir" "$dir/one/root"
}

step_same() {
	check "same: two builds in different directories" built_twice
	check "same: no path of the build is inside" no_paths_inside
}

# `make install` with the library where rpm puts it; paths without .gz.
rpm_files() {
	for package in "$packages"/*.rpm; do
		case $package in
		*.src.rpm | *debuginfo* | *debugsource*) ;;
		*) rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$package" 2> /dev/null | sed -n '/^d/!s/^[^ ]* //p' ;;
		esac
	done | sed 's/\.gz$//' | grep -vE '^/usr/share/(doc|licenses)/|^/usr/lib/\.build-id' | sort -u
}

rpm_is_installation() {
	built_once
	rm -rf "$dir/installed"
	make -C "$dir/one/dtrace-$version" -s install DESTDIR="$dir/installed" LIBDIR="$(rpm --eval '%{_libdir}')" \
		ZSHDIR=/usr/share/zsh/site-functions
	(cd "$dir/installed" && find . ! -type d | sed 's/^\.//') | sort > "$dir/wanted"
	rpm_files > "$dir/there"
	diff "$dir/wanted" "$dir/there"
}

step_rpm() {
	check "rpm: packages build" "$top/packaging/rpm.sh" "$tarball" "$packages"
	check "rpm: they have the files of make install" rpm_is_installation
}

. "$top/test/packages_fresh.sh"
. "$top/test/packages_container.sh"

# --------------------------------------------------------------------- run

cd "$top"
git -c safe.directory="$top" archive --prefix="dtrace-$version/" HEAD | xz -T1 > "$tarball.new"
cmp -s "$tarball.new" "$tarball" || rm -rf "$dir/one"
mv "$tarball.new" "$tarball"
for step; do
	say "== $step"
	"step_$step"
done
say "packages: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
