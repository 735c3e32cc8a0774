#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Debian packages, source and binary, of a tarball made by `make dist`.
#
#	deb.sh TARBALL DIRECTORY
#
# The build sees no network where it may have a name space of its own (as root).
set -eu
tarball=$(realpath "$1")
mkdir -p "$2"
into=$(realpath "$2")
alone=
! unshare --net true 2>/dev/null || alone='unshare --net'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xf "$tarball" -C "$work"
cd "$work"/dtrace-*
$alone dpkg-buildpackage --no-sign > "$into/deb.log" 2>&1 || {
	tail -n 40 "$into/deb.log" >&2
	exit 1
}
cd ..
mv ./*.deb ./*.dsc ./*.tar.* ./*.changes ./*.buildinfo "$into"
ls "$into"/*.deb
