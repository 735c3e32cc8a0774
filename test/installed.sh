#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example consumer, built against an installed tree with what pkg-config says
# and nothing else, shared and static; both must run.
#
#	installed.sh DESTDIR PREFIX
set -eu
root=$1 prefix=$2
example=$(dirname "$0")/../examples/count.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

library=$(find "$root$prefix" -name libdtrace.so.1)
export PKG_CONFIG_LIBDIR="$(dirname "$library")/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
# below a DESTDIR /usr is no place of the system's
[ -z "$root" ] || export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1

# shellcheck disable=SC2046
cc -Wall -Wextra -Werror -o "$work/shared" "$example" $(pkg-config --cflags --libs dtrace)
# shellcheck disable=SC2046
cc -Wall -Wextra -Werror -static -o "$work/static" "$example" $(pkg-config --static --cflags --libs dtrace)
# shellcheck disable=SC2046
c++ -x c++ -Wall -Wextra -Werror -fsyntax-only -include dtrace.h /dev/null $(pkg-config --cflags dtrace)

for kind in shared static; do
	said=$(LD_LIBRARY_PATH=$(dirname "$library") "$work/$kind" 'BEGIN { trace("here"); exit(0); }')
	case $said in
	*'BEGIN: trace "here"'*'1 records') ;;
	*) echo "$kind: $said"; exit 1 ;;
	esac
done
LD_LIBRARY_PATH=$(dirname "$library") ldd "$work/shared" | grep -q "libdtrace.so.1 => $(dirname "$library")" || {
	echo "the shared consumer does not use $library"
	exit 1
}
release=$("$root$prefix/sbin/dtrace" -V -v | sed -n 's/.*DTrace for Linux //p')
stated=$(pkg-config --modversion dtrace)
case $release in
"$stated"*) ;;
*) echo "dtrace.pc says version $stated, dtrace says $release"; exit 1 ;;
esac
