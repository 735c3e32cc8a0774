# A site in an inline function that two files have is one site.
. "$suite/lib.sh"
not_in_guests
echo 'provider p { probe a(int, char *); };' > p.d
"$dtrace" -h -s p.d
cat > t.h <<'C'
#include "p.h"
template <class T> __attribute__((noinline)) int shared(T x) { P_A(x, 0); return x; }
C
printf '#include "t.h"\nint g(int x) { return shared(x); }\n' > b.cc
printf '#include "t.h"\nint g(int);\nint main() { return shared(0) + g(0); }\n' > a.cc
g++ -O0 -c a.cc b.cc && "$dtrace" -G -s p.d a.o b.o && g++ a.o b.o p.o -o a && ./a && readelf -n a | grep -c Provider
