# What a probe costs that nobody traces: two nops and nothing else.
. "$suite/lib.sh"
not_in_guests
cat > p.d <<'D'
provider p { probe q(int, char *, long); };
D
"$dtrace" -h -s p.d
cat > a.c <<'C'
#include "p.h"
int f(int a, char *b, long c) { P_Q(a, b, c); return a + (int)c; }
C
instructions() {
	objdump -d --no-show-raw-insn a.o | sed -n '/<f>:/,$p' |
		sed -n 's/^ *[0-9a-f]*:[ \t]*//p' | sed 's/[ \t]*$//'
}
for cc in gcc clang; do
	$cc -O2 -c a.c && instructions > with
	$cc -O2 -c -D_DTRACE_VERSION=0 a.c && instructions > without
	echo "$cc:"
	diff without with | grep '^[<>]'
done
