# Objects made for another DTrace call functions; -G makes sites of the calls
# and functions of the questions.  A second run changes nothing.
. "$suite/lib.sh"
not_in_guests
cat > p.d <<'D'
provider p {
	probe start(int, char *);
	probe done(int, unsigned long, short);
	probe many(int, int, int, int, int, int, char *, int);
	probe idle();
};
D
cat > a.c <<'C'
#include <stdio.h>
void __dtrace_p___start(int, char *);
void __dtrace_p___done(int, unsigned long, short);
void __dtrace_p___many(int, int, int, int, int, int, char *, int);
void __dtrace_p___idle(void);
int __dtraceenabled_p___done(void);
__attribute__((noinline)) static int work(int x, char *s) { __dtrace_p___start(x, s); return x; }
__attribute__((noinline)) void tail(void) { __dtrace_p___idle(); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++) {
		if (__dtraceenabled_p___done())
			__dtrace_p___done(i, 5, 6);
		work(i, argv[0]);
		__dtrace_p___many(1, 2, 3, 4, 5, 6, "seven", 8);
		tail();
	}
	puts("fine");
	return argc - 1;
}
C
for opt in "-O0 -fcf-protection=none" "-O2 -g" "-O2 -fPIC -fno-plt"; do
	echo "$opt"
	# shellcheck disable=SC2086
	gcc $opt -c a.c
	"$dtrace" -G -s p.d a.o && gcc a.o p.o -o a && ./a
	readelf -n a | awk '/Name:/ { n = $2 } /Arguments:/ { sub(/^ *Arguments: */, ""); print n, $0 }' | sort -u
	cp a.o once.o
	"$dtrace" -G -s p.d a.o && cmp a.o once.o && gcc a.o p.o -o a && ./a
done
echo "in an inline function of C++:"
cat > t.h <<'C'
extern "C" void __dtrace_p___start(int, const char *);
template <class T> int shared(T x) { __dtrace_p___start(x, "t"); return x; }
C
printf '#include "t.h"\nint g(int x) { return shared(x); }\n' > b.cc
printf '#include "t.h"\nint g(int);\nint main() { return shared(0) + g(0); }\n' > c.cc
g++ -O0 -c b.cc c.cc && "$dtrace" -G -s p.d b.o c.o && g++ b.o c.o p.o -o c && ./c && readelf -n c | grep -c Provider
echo "taking its address:"
echo 'void __dtrace_p___idle(void); void (*pointer)(void) = __dtrace_p___idle; int f(void) { pointer(); __dtrace_p___idle(); return 0; }' > d.c
gcc -fno-pic -c d.c && "$dtrace" -G -s p.d d.o; echo $?
