# -G: objects that only ask whether a probe is enabled, a script without a name, and one class of objects at a time.
. "$suite/lib.sh"
not_in_guests
echo 'provider p { probe a(int); };' > p.d
"$dtrace" -h -s p.d
echo 'int __dtraceenabled_p___a(void); int main(void) { return __dtraceenabled_p___a(); }' > asks.c
echo 'int __dtraceenabled_q___a(void); int f(void) { return __dtraceenabled_q___a(); }' > other.c
printf '#include "p.h"\nint f(void) { P_A(1); return 0; }\n' > site.c
gcc -c asks.c other.c site.c
gcc -m32 -c site.c -o site32.o
try() {
	rm -f p.o d.out
	echo "$*"
	"$dtrace" "$@" 2>&1 < p.d
	echo "= $?"
	for object in p.o d.out; do
		readelf -h $object 2> /dev/null | sed -n "s/^ *Class: */$object: /p"
	done
}
try -G -s p.d asks.o
gcc asks.o p.o -o asks && ./asks
echo "not enabled: $?"
try -G -s p.d other.o
try -G -s - site.o
try -G -s /dev/stdin site.o
try -h -s -
try -G -s p.d site32.o
try -32 -G -s p.d site32.o
try -32 -G -s p.d
try -64 -G -s p.d site.o
try -G -s p.d site.o site32.o
try -32 -G -s p.d site.o
try -64 -G -s p.d site32.o
