# -o: what is no regular file is written to, and neither removed nor replaced.
# @anykernel: what is read, and shown, does not depend on the kernel
mknod full c 1 7
mkfifo fifo
echo 'provider p { probe a(int); };' > p.d
for what in "-h -s p.d" "-G -s p.d" "-qn BEGIN{trace(1);exit(0);}" "-ln BEGIN" "-veqn BEGIN"; do
	echo "== dtrace $what"
	"$dtrace" $what -o full 2>&1
	echo "status $?"
	[ -c full ] || { echo "the device is gone"; mknod full c 1 7; }
	cat fifo > read &
	"$dtrace" $what -o fifo 2>&1
	echo "status $?"
	[ -p fifo ] || { echo "the FIFO is gone"; kill $!; mkfifo fifo; }
	wait
	[ -s read ] && echo "read from the FIFO"
	"$dtrace" $what -o /proc/self/fd/1 2>&1 > read | cat
	[ -s read ] && echo "read from standard output"
done
echo "== half of a header is removed, a link to one is not"
mkdir small
mount -t tmpfs -o size=4k tmpfs small || exit 1
trap 'umount small' EXIT
"$dtrace" -h -s p.d -o small/p.h 2>&1
ls small
ln -s small/q.h link
"$dtrace" -h -s p.d -o link 2>&1
[ -L link ] && echo "the link is there"
echo "== -G through a link: the object is changed, the link stays"
cat > old.c <<'C'
void __dtrace_p___a(int);
int main(void) { __dtrace_p___a(1); return 0; }
C
gcc -O2 -c -o object.o old.c
ln -s object.o linked.o
"$dtrace" -G -s p.d -o probes.o linked.o
echo "status $?"
[ -L linked.o ] && [ -f object.o ] && readelf -SW object.o | grep -o note.stapsdt | head -1
