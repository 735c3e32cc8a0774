# The weights of stacks are what aggregations hold: all of it, whatever printa(), clear() and trunc() did.
# What is printed is the same with and without a picture.
cc -O1 -o shape "$test/shape.c" || exit 1
# frames of the C library before main depend on its debug package
from_main() { sed 's/^\([^;]*;\).*shape`main;/\1 main;/; s/shape`//g' "$@"; }
draw() {
	echo "$1"
	"$dtrace" -x folded=out.folded -qn "$2" -c ./shape > with 2>&1
	echo "status $?"
	"$dtrace" -qn "$2" -c ./shape > without 2>&1
	# equal values are in the order of their keys, which are addresses
	sed 's/0x[0-9a-f]*/0x/' with | sort > a
	# equal values are in the order of their keys, which are addresses
	sed 's/0x[0-9a-f]*/0x/' without | sort > b
	# printa() while tracing prints what has been fetched by then
	[ "$1" = cleared ] || cmp a b
	from_main out.folded
}
at='pid$target:shape:leaf:entry'
draw count "$at { @[execname, ustack()] = count(); }"
draw sum "$at { @[execname, ustack()] = sum(arg0); }"
draw max "$at { @[execname, ustack()] = max(arg0); }"
draw avg "$at { @[execname, ustack()] = avg(arg0); }"
draw histogram "$at { @[execname, ustack()] = quantize(arg0); }"
draw two "$at { @a[execname, ustack()] = count(); @b[execname, ustack()] = sum(arg0); @other[arg0] = count(); }"
draw cleared "$at { @[execname, ustack()] = count(); n++; } $at /n == 2 || n == 7/ { printa(@); clear(@); }"
draw truncated "$at { @[execname, ustack()] = count(); n++; } $at /n == 6/ { trunc(@); }"
draw printed "$at { @[execname, ustack()] = sum(arg0); } END { printa(@); trunc(@, 1); }"
echo "with snapshots, a maximum is one of all"
"$dtrace" -x interval=10ms -x folded=out.folded -qn "$at { @[execname, ustack()] = max(arg0); }" -c ./shape > /dev/null
from_main out.folded
