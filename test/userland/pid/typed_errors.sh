# Why there is no args[]: no debugging information, none of this function, no such argument, what is not supported,
# functions that differ.
. "$suite/lib.sh"
not_in_guests
say() {
	"$dtrace" -xerrtags -qn "pid$target:$1" 2>&1 | grep -v -e '^ *|' | sed -e "s/^dtrace: .*}: //" -e "s/$target/PID/g" \
		-e 's|: /[^ ]*/|: |' -e 's| of /[^ ]*/| of |'
}
"$triggers/requests" & target=$!
await_ready $target
say 'a.out:choose:entry { trace(args[0]); }'
say 'a.out:choose:entry { trace(args[6]); }'
say 'a.out:choose:entry { trace(args[7]); }'
say 'a.out:rest:return { trace(args[1]); }'
say 'a.out:handle:0 { trace(args[0]); }'
say 'a.out:handle:entry { trace(args[0]->nothing); }'
say 'a.out:_start:entry { trace(args[0]); }'
say 'a.out:handle: { trace(args[0]); }'
kill $target; wait $target 2> /dev/null
objcopy -g "$triggers/requests" bare
./bare & target=$!
await_ready $target
say 'a.out:choose:entry { trace(args[0]); }'
"$dtrace" -lvn "pid$target:a.out:choose:entry" | grep -A1 'Argument Types'
kill $target; wait $target 2> /dev/null
# what the assembler describes has no parameters
cat > hand.s <<'S'
	.text
	.globl	by_hand
	.type	by_hand, @function
by_hand:
	mov	%edi, %eax
	ret
	.size	by_hand, . - by_hand
	.globl	main
	.type	main, @function
main:
	sub	$8, %rsp
	call	pause@PLT
	jmp	main
	.size	main, . - main
	.section .note.GNU-stack,"",@progbits
S
gcc -g -c -o hand.o hand.s && gcc -o hand hand.o || skip "no compiler here"
./hand & target=$!
while ! grep -q '^34 ' /proc/$target/syscall; do sleep 0.05; done	# pause
say 'a.out:by_hand:entry { trace(args[0]); }'
kill $target; wait $target 2> /dev/null
cat > twins.c <<'C'
#include <signal.h>
struct one { int a; };
struct two { long b; };
int here(void);
static __attribute__((noinline)) long twin(struct TYPE *p, int n) { __asm__ volatile(""); return p->MEMBER + n; }
#ifdef MAIN
static volatile long sink;
int main(void)
{
	struct one one = { 1 };
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, 0);
	sigwait(&set, &number);
	sink = twin(&one, 5) + here();
	return 0;
}
#else
int here(void) { struct two two = { 2 }; return (int)twin(&two, 6); }
#endif
C
gcc -g -O1 -DMAIN -DTYPE=one -DMEMBER=a -c -o one.o twins.c && gcc -g -O1 -DTYPE=two -DMEMBER=b -c -o two.o twins.c &&
	gcc -o twins one.o two.o || skip "no compiler here"
./twins & target=$!
await_ready $target
say 'a.out:twin:entry { trace(args[0]); }'
"$dtrace" -qn "pid$target:a.out:twin:entry { printf(\"%d\\n\", args[1]); } tick-10ms /!n++/ { system(\"kill -USR1 $target\"); }
	proc:::exit /pid == $target/ { exit(0); }" -w 2>&1 | grep . | sort
wait $target
gcc -g -gsplit-dwarf -O1 -DMAIN -DTYPE=one -DMEMBER=a -c -o one.o twins.c && gcc -o twins one.o two.o
./twins & target=$!
await_ready $target
say 'a.out:main:entry { trace(args[0]); }'
kill $target; wait $target 2> /dev/null
:
