#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# RPM packages, source and binary, of a tarball made by `make dist`.
#
#	rpm.sh TARBALL DIRECTORY
#
# On a system whose packages are not RPMs, rpm knows of no compiler: there the spec's
# build requirements are not asked for.
set -eu
tarball=$(realpath "$1")
mkdir -p "$2"
into=$(realpath "$2")
spec=$(dirname "$(realpath "$0")")/dtrace.spec
[ -e /etc/debian_version ] && nodeps=--nodeps || nodeps=

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/SOURCES"
cp "$tarball" "$work/SOURCES"
rpmbuild -ba $nodeps --define "_topdir $work" "$spec" > "$into/rpm.log" 2>&1 || {
	tail -n 40 "$into/rpm.log" >&2
	exit 1
}
mv "$work"/RPMS/*/*.rpm "$work"/SRPMS/*.rpm "$into"
ls "$into"/*.rpm
