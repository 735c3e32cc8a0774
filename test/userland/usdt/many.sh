# More arguments than arg9 names are in args[].
. "$suite/lib.sh"
not_in_guests
cat > many.c <<'C'
#include <sys/sdt.h>
int main(int count, char **words)
{
	DTRACE_PROBE12(lots, ten__and__two, 1, 2, 3, 4, 5, 6, 7, 8, 9,
		       (short)-10, (unsigned char)(250 + count), words[0]);
	return 0;
}
C
gcc -O2 -I"$(dirname "$triggers")/include" -o many many.c
"$dtrace" -qn 'lots$target:::ten-and-two { printf("%d %d %d %d %s\n", arg0, arg9, args[9], args[10], copyinstr(args[11])); }' -c ./many
