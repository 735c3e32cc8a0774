# A function of a stripped program is shown by its place in the file: the same from every call, in every run.
. "$suite/lib.sh"
cat > prog.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>
static __attribute__((noinline)) long ask(void)
{
	long parent = syscall(SYS_getppid);

	return syscall(SYS_getppid) - parent;
}
static __attribute__((noinline)) long work(void)
{
	long sum = ask();

	return sum + ask() + 1;
}
int main(void)
{
	return (int)work() - 1;
}
C
cc -O1 -fno-inline -fno-optimize-sibling-calls -o named prog.c || exit 1
strip -o prog named || exit 1
folded() {
	"$dtrace" -x folded="$1" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' -c ./prog > printed
	echo "status $?"
}
folded a.folded
folded b.folded
cmp a.folded b.folded && echo "the same in two runs"
# shellcheck disable=SC2046
sed $(nm named | awk '$3 ~ /^(main|work|ask)$/ { sub("^0*", "", $1); printf "-e s/prog`+0x%s/%s/ ", $1, $3 }') -e 's/.*;main/main/' a.folded
echo "addresses in the text: $(grep -c 'prog`0x' printed)"
"$dtrace" -x folded=c.folded -x stacksymbols=no -qn 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' -c ./prog > printed
grep -c '^0x[0-9a-f]*;0x' c.folded
"$(dirname "$dtrace")/stackvis" collapsed collapsed a.folded | cmp - a.folded && echo "stackvis keeps them"
"$(dirname "$dtrace")/stackvis" collapsed flamegraph-svg a.folded | grep -c '<title>prog+0x[0-9a-f]* ('
