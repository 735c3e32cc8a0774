# <sys/sdt.h>: probes without a provider file, in C and C++.
. "$suite/lib.sh"
not_in_guests
cat > a.c <<'C'
#include <stddef.h>
#include <sys/sdt.h>
struct opaque;
enum e { A, B };
static short h = -2;
int f(struct opaque *o, int n, const char *s, enum e e, long l)
{
	char array[16] = "array";

	DTRACE_PROBE(prov, none);
	DTRACE_PROBE1(prov, one, o);
	DTRACE_PROBE2(prov, two, n, s);
	STAP_PROBE3(prov, three, (char)n, h, (unsigned char)n);
	STAP_PROBE4(prov, four, 5, -1L, 0xfffffffffUL, "literal");
	STAP_PROBEV(prov, five, n, l, e == B, array, o);
	STAP_PROBEV(prov, zero);
	DTRACE_PROBE12(prov, twelve, n, o, s, h, l, l, n, n, n, array, n + 1, n + 2);
	return n;
}
int main(void) { return f(NULL, 0, "x", B, 1); }
C
for cc in "gcc -O0" "gcc -O2" "clang -O2" "g++ -x c++ -std=c++98 -O0" "g++ -x c++ -std=c++20 -O2"; do
	echo "$cc"
	# shellcheck disable=SC2086
	$cc -Wall -Wextra -Wconversion -Wpedantic -Wno-variadic-macros -Werror -I"$(dirname "$dtrace")/include" a.c -o a && ./a
	readelf -n a | awk '/Name:/ { n = $2 } /Arguments:/ { sub(/^ *Arguments: */, ""); gsub(/@[%0-9-][^ ]*/, "@"); print n, $0 }' | sort -u
done
