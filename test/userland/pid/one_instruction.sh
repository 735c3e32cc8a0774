# Of a function that is a single instruction, a return or a jump to another
# function, the entry fires before the return, in whatever order a program has them.
cat > small.c <<'C'
__attribute__((noinline)) void nothing(void) { __asm__ volatile(""); }
__attribute__((noinline)) int other(int a) { __asm__ volatile("" : "+r"(a)); return a + 1; }
__attribute__((noinline)) int tail(int a) { return other(a); }
int main(void) { nothing(); return tail(2) - 3; }
C
for protection in none full; do
	cc -O2 -fcf-protection=$protection -o small small.c
	for first in entry return; do
		for second in entry return; do
			[ $first != $second ] || continue
			echo "$protection, $first first:"
			"$dtrace" -qn "pid\$target:a.out:nothing:$first,pid\$target:a.out:tail:$first { printf(\"%s:%s\\n\", probefunc, probename); }
				pid\$target:a.out:nothing:$second,pid\$target:a.out:tail:$second { printf(\"%s:%s\\n\", probefunc, probename); }" -c ./small 2>&1
		done
	done
done
echo "flow:"
"$dtrace" -Fn 'pid$target:a.out:nothing:entry,pid$target:a.out:nothing:return,
	pid$target:a.out:tail:entry,pid$target:a.out:tail:return' -c ./small 2>&1 | grep -o '[-<][->] [a-z]*'
