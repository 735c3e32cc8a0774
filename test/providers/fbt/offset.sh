# A probe on an instruction: the first behind what the kernel patches.
. "$suite/lib.sh"
needs_functions
for offset in 0x9 0x5 0x0; do
	trace_calls "fbt::vfs_read:$offset"' /pid == $1/ { @[probefunc, arg2] = count(); }' read 13 > found 2>&1 && break
done
cat found
# in the middle of an instruction, the one that the kernel patches
"$dtrace" -qn 'fbt::vfs_read:0x2 { } tick-1ms { exit(0); }' 2>&1
# behind the end
"$dtrace" -qn 'fbt::vfs_read:0x100000 { } tick-1ms { exit(0); }' 2>&1
# every offset is an instruction that fires, or is refused; an instruction has 15 bytes at most
for offset in $(seq 10 24); do
	"$dtrace" -qn "fbt::vfs_read:$(printf 0x%x $offset) { n++; exit(0); } END { printf(\"%s\\n\", n > 0 ? \"fires\" : \"?\"); }" > found 2>&1 \
		-c "$triggers/calls now read 1" && grep fires found || sed 's/.*: /refused: /' found
	[ -s found ] || echo "nothing is said"
	cat found >> all
	grep -q fires all && grep -q 'none begins there' all && break
done | sort -u
