# -x inlines: functions that the compiler inlined, from DWARF 4 and 5, in the
# program or in a debug file beside it; with the line that each is at.  Without the
# option, without names and for single addresses nothing changes.
. "$suite/lib.sh"
cat > zoo.h <<'CC'
#include <unistd.h>
#define INLINE inline __attribute__((always_inline))
namespace zoo {
template <class T> struct animal {
	T n;
	INLINE T legs(T more) const
	{
		return n * more +
		       getppid();
	}
};
}
CC
cat > zoo.cc <<'CC'
#include "zoo.h"
static INLINE int twice(const zoo::animal<int> &animal)
{
	if (animal.n > 1) {
		int sum = animal.legs(2);
		sum += animal.legs(3);
		return sum;
	}
	return 0;
}
__attribute__((noinline)) static int visit(int n)
{
	zoo::animal<int> animal = { n };
	auto call = [&](int m) __attribute__((always_inline)) {
		return twice(animal) + m; };
	return call(n) + 1;
}
int main(int argc, char **)
{
	return visit(argc + 1) < 0;
}
CC
g++ -O2 -gdwarf-4 -o four zoo.cc && g++ -O2 -gdwarf-5 -o five zoo.cc && g++ -O2 -g -o apart zoo.cc &&
	objcopy --only-keep-debug apart apart.debug && strip apart && objcopy --add-gnu-debuglink=apart.debug apart || exit 1

for program in four five apart; do
	echo "-- $program"
	"$dtrace" -x inlines -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./$program |
		sed 's/+0x[0-9a-f]*//; s/0x[0-9a-f]*$/.../' | awk '/main/ { print; getline; while (NF) getline; print ""; next } NF || n++'
done
echo "-- keys"
"$dtrace" -x inlines -qn 'syscall::getppid:entry /pid == $target/ { @[jstack(3), probefunc] = count(); } END { printa("%k%s %@d\n", @); }' -c ./five |
	sed 's/+0x[0-9a-f]*//'
echo "-- one address, without names, without the option"
"$dtrace" -x inlines -qn 'syscall::getppid:entry /pid == $target && !n++/ { usym(ucaller); }' -c ./five | sed 's/ *$//'
"$dtrace" -x inlines -x noresolve -qn 'syscall::getppid:entry /pid == $target/ { ustack(2); }' -c ./five | awk '!/^ *0x/ && NF'
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(2); }' -c ./five | awk '/zoo/'
