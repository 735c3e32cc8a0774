# A probe on a nop that the kernel has made a call of its trampoline: samples
# show the nop and its callers, not the trampoline.  The probe is somebody
# else's: dtrace places none there.  The nop has 5 bytes, or since Linux 7 10.
. "$suite/lib.sh"
grep -q ' __x64_sys_uprobe$' /proc/kallsyms || skip "this kernel makes no calls of probed nops"
samples=500
[ -n "$again" ] && samples=100
cat > nop.c <<'C'
static volatile long sink;
#define LINK __attribute__((noinline, noclone))
LINK void inner(void) { sink++; __asm__ volatile(".globl place\nplace: .byte " NOP); sink++; }
LINK void outer(void) { inner(); sink++; }
int main(void) { for (;;) outer(); }
C
end() {
	kill $target $prober
	wait $target $prober 2>/dev/null
}
# Start the program with this nop and a probe there; false: the kernel leaves it a breakpoint.
with_nop() {
	gcc -O1 -fno-optimize-sibling-calls -no-pie -DNOP="\"$1\"" -o nop nop.c || exit 1
	rm -f placed
	python3 "$test/probe.py" nop place > placed &
	prober=$!
	await placed placed
	./nop &
	target=$!
	for _ in $(seq 100); do
		grep -q uprobes-trampoline /proc/$target/maps && return
		sleep 0.1
	done
	end
	return 1
}
with_nop '0x0f, 0x1f, 0x44, 0, 0' || with_nop '0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0' || { echo "no nop becomes a call"; exit 1; }
trap end EXIT
"$dtrace" -qn 'profile-499 /pid == $target/ { @[ustack()] = count(); n++; } tick-10ms /n >= $1/ { exit(0); }' -p $target $samples |
awk '/^ +[0-9]+$/ { all += $1; if (stack ~ /nop`(place|inner).*nop`outer.*nop`main.*nop`_start/) at += $1; stack = ""; next }
	/`|0x|\[/ { stack = stack $0 }
	/^ *0x/ { print "what is " $0 }
	END { print (at > all / 2 ? "at the nop" : at " of " all " at the nop") }'
