# Small files that would take hours: each of these is hard work for who does it
# the simple way.
# @anykernel: what is read, and shown, does not depend on the kernel
. "$suite/hostile.sh"
# one address with many names
run_hostile same same=100000
"$dtrace" -p "$target" -ln 'pid$target:a.out:main:entry' | tail -1 | awk '{ print $3, $4, $5 }'
# many symbols with one long name
run_hostile long long=60000:40000
"$dtrace" -x symsize=2g -p "$target" -ln 'pid$target:a.out:main:entry' | tail -1 | awk '{ print $3, $4, $5 }'
# a type that is written down as 2 to the power of 60 others
run_hostile mangled "rename=inner:$(python3 -c 'print("_Z1f4pairIccES_IS0_S0_E" + "".join(
	f"S_I{x}{x}E" for x in ["S%s_" % (d if p < 0 else "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[p] + d)
		for p in range(-1, 1) for d in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"][1:60]))')"
stacks "$target" | cut -c 1-30
"$dtrace" -p "$target" -ln 'pid$target:a.out:f*pair*:entry,pid$target:a.out:out*:entry' 2>&1 | tail -1 | awk '{ print $3, $4, $5 }'
# unwind tables: a long program, run for each function; functions that look for theirs
run_hostile frames frames=100000:2000000
stacks "$target" | head -1
run_hostile cies cies=500000
stacks "$target" | head -1
# a function that is larger than any memory
run_hostile size size=inner:$((1 << 62))
"$dtrace" -Zp "$target" -ln 'pid$target:a.out:inner:2,pid$target:a.out:inner:entry,pid$target:a.out:inner:return' > out 2>&1
echo "status $?"
stacks "$target" | head -1
