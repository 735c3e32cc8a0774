# -G: the object has hidden semaphores; what a program is, its objects are.
. "$suite/lib.sh"
not_in_guests
cat > p.d <<'D'
provider p { probe a(int); probe b__c(); };
D
"$dtrace" -h -s p.d
cat > a.c <<'C'
#include "p.h"
int main(void) { P_A(1); return P_B_C_ENABLED(); }
C
gcc -O2 -c a.c
echo "default name:"
"$dtrace" -G -s p.d a.o && ls p.o
readelf -sW p.o | awk '/semaphore/ { print $4, $5, $6, $8 }'
gcc a.o p.o -o a && ./a && echo runs
echo "without objects:"
"$dtrace" -G -s p.d -o q.o && gcc a.o q.o -o a && ./a && echo runs
echo "not at all:"
gcc a.o -o a && ./a && echo runs
echo "two providers:"
echo 'provider r { probe s(); };' > r.d
"$dtrace" -G -s p.d -s r.d -o both.o a.o && readelf -sW both.o | awk '/semaphore/ { print $8 }'
echo "-32:"
"$dtrace" -32 -G -s p.d -o small.o && readelf -h small.o | awk '/Class|Machine/ { print $2, $3 }'
echo "link-time optimisation:"
gcc -O2 -flto -c a.c && "$dtrace" -G -s p.d a.o && gcc -O2 -flto a.o p.o -o a && ./a && readelf -n a | grep -c Provider
echo "unused functions go:"
echo 'int unused(void) { return 0; }' >> a.c
gcc -O2 -ffunction-sections -c a.c && gcc -Wl,--gc-sections a.o p.o -o a && ./a && readelf -n a | grep -c Provider
