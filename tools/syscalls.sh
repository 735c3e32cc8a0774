#!/bin/sh
# The system calls that the headers of this machine name, by number: rows
#	{ number, number in 32-bit programs, "name" },
# where -1 says that there is none.
#	tools/syscalls.sh CC
set -eu
cc=$1
numbers() {
	echo "#include <asm/unistd_$1.h>" | $cc -E -dM - |
		sed -n "s/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)\$/$1 \1 \2/p"
}
{ numbers 64; numbers 32; } | awk '
	$1 == 64 { native[$2] = $3 }
	$1 == 32 { compat[$2] = $3 }
	END {
		for (name in native)
			print native[name], name in compat ? compat[name] : -1, name
		for (name in compat)
			if (!(name in native))
				print -1, compat[name], name
	}' | sort -n -k1,1 -k2,2 | awk '{ printf "\t{ %d, %d, \"%s\" },\n", $1, $2, $3 }'
