# Names of a stripped program: from the small file inside of it
# (.gnu_debugdata), from the file that .gnu_debuglink names, in each of its
# places, and from the one with its build id.  Probes and stacks find them.
. "$suite/lib.sh"
not_in_guests
cat > shop.c <<'C'
#include <unistd.h>
__attribute__((noinline)) static int inner(int n) { __asm__ volatile(""); return n + (int)getpid() * 0; }
__attribute__((noinline)) static int outer(int n) { int m = inner(n); __asm__ volatile(""); return m + 1; }
int main(int argc, char **argv) { char c; (void)argv; while (read(0, &c, 1) == 1) outer(argc); return 0; }
C
gcc -O1 -g -static -Wl,--build-id=sha1 -o whole shop.c
objcopy --only-keep-debug whole shop.debug
mkfifo pipe
# Trace one call in program $2, which may be in a root of its own.
show() {
	echo "-- $1"
	rm -f out
	shift
	"$@" < pipe &
	target=$!
	exec 3> pipe
	while ! readlink /proc/$target/exe | grep -q '/\(shop\|inside\|linked\)$'; do sleep 0.05; done
	"$dtrace" -qn 'pid$target:a.out:inner:entry { printf("%s(%d)", probefunc, arg0); ustack(3); exit(0); }
		tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' -p $target > out 2>&1 &
	tracer=$!
	await out 'armed\|dtrace:'
	echo >&3
	wait $tracer
	exec 3>&-
	wait $target
	sed -n -e 's/+0x.*//' -e 's/.*failed to/failed to/' -e 's/: it has.*//' -e '/inner\|outer\|main/p' out | grep -v '|'
}
strip -o shop whole
show "without" ./shop

# as distributions make it: the names of functions alone, packed
nm whole --format=posix --defined-only | awk '$2 ~ /^[Tt]$/ { print $1 }' | grep -x -e inner -e outer -e main > keep
objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=keep shop.debug mini
xz -f mini
cp shop inside
objcopy --add-section .gnu_debugdata=mini.xz inside
show "inside" ./inside

# no build id, so that only the link leads there
objcopy --remove-section .note.gnu.build-id shop linked
objcopy --add-gnu-debuglink=shop.debug linked
show "linked, beside it" ./linked
mkdir .debug
mv shop.debug .debug
show "linked, in .debug" ./linked
mkdir -p root/bin root/usr/lib/debug/bin
mv .debug/shop.debug root/usr/lib/debug/bin
cp linked root/bin
show "linked, in /usr/lib/debug" chroot root /bin/linked

# what has the build id, in the process's own root
id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
rest=${id#??}
mkdir -p "root/usr/lib/debug/.build-id/${id%$rest}"
mv root/usr/lib/debug/bin/shop.debug "root/usr/lib/debug/.build-id/${id%$rest}/$rest.debug"
cp shop root/bin
show "by its build id" chroot root /bin/shop
