# What a pointer points at is in memory when the probe fires, however much was
# optimised: the stores are there, and before the nop.
. "$suite/lib.sh"
not_in_guests
echo 'provider p { probe a(char *); };' > p.d
"$dtrace" -h -s p.d
cat > a.c <<'C'
#include "p.h"
void f(void) { char b[3]; b[0] = 'h'; b[1] = 'i'; b[2] = 0; P_A(b); }
C
for cc in gcc clang; do
	$cc -O2 -c a.c
	objdump -d --no-show-raw-insn a.o | sed -n '/<f>:/,$p' | awk '/movb|movw|mov .*ax,/ { n++ } /nop *$/ { print (n > 1 ? "stored" : "lost"); exit }'
done
