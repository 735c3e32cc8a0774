# Each thing that can be wrong says so in its own words.
. "$suite/lib.sh"
not_in_guests
# one line with the tag, or with the hint
say() {
	"$dtrace" -xerrtags "$@" 2>&1 | grep -v -e '^ *|' -e '^$' -e '^ *ID  *PROV' | sed -e 's/^dtrace: [^[]*//' -e "s/$target/PID/g" \
		-e "s/ process [0-9][0-9]*/ process PID/" -e 's/"pid[0-9]*:/"pid$1:/' \
		-e 's/^ *=/=/' -e 's/build-id.*debug/build-id.../'
}
# Run program $1 until it says that it has started.
start() {
	rm -f started
	"$1" > started & target=$!
	await started started
}
stop() {
	kill $target
	wait $target 2>/dev/null
}
"$triggers/functions" &
target=$!
await_ready $target
echo "-- names"
say -ln "pid$target:a.out:nothing:entry"
say -n "pid$target:libnothing:main:entry"
say -ln "pid$target:libc:main:entry" | sed 's/: it has no symbol table.*//'	# but with its debug package it has
say -ln "pid$target:a.out:main:begin"
say -ln "pid$target:libc:-:10"
say -ln "pid$target:a.out:-:3"
kill $target; wait $target 2>/dev/null
echo "-- dead"
say -ln "pid$target:a.out:main:entry"
echo "-- kernel thread"
target=2
say -ln "pid2:a.out:main:entry"
echo "-- without symbols"
cp "$triggers/functions" stripped
strip stripped
./stripped & target=$!
await_ready $target
say -ln "pid$target:a.out:main:entry"
kill $target; wait $target 2>/dev/null
echo "-- with what it exports"
cat > exports.c <<'C'
#include <unistd.h>
__attribute__((visibility("default"))) int exported(void)
{
	write(1, "started", 7);
	return pause();
}
int main(void) { exported(); return 0; }
C
gcc -Wl,--build-id=sha1 -Wl,--export-dynamic-symbol=exported -o exports exports.c
strip exports
start ./exports
say -ln "pid$target:exports:hidden:entry"
say -n "pid$target:exports:hid*:entry"
say -n "pid$target::hid*:entry"
say -ln "pid$target:exports::entry" | awk '{ print $3, $4, $5 }'
stop
echo "-- static"
printf '#include <unistd.h>\nint main(void) { write(1, "started", 7); pause(); return 0; }\n' > static.c
gcc -static -o static static.c
start ./static
say -ln "pid$target:libc:open:entry"
say -ln "pid$target:a.out:main:entry" | tail -1 | awk '{ print $3, $4, $5 }'
stop
echo "-- musl"
musl-gcc -o musl static.c
start ./musl
say -ln "pid$target:libc:pause:entry" | awk '{ print $3, $4, $5 }'
say -n "pid$target:libc:nothing:entry" | cut -d: -f1
stop
echo "-- musl, as where it is the only C library"
cp -L /lib/ld-musl-x86_64.so.1 .
musl-gcc -Wl,--dynamic-linker="$PWD/ld-musl-x86_64.so.1" -o musl static.c
start ./musl
say -n "pid$target:libc:open:entry"
say -n "pid$target:libc.so.6:open:entry"
say -ln "pid$target:ld-musl*:pause:entry" | awk '{ print $3, $4, $5 }'
stop
echo "-- musl, static"
musl-gcc -static -o musl static.c
start ./musl
say -ln "pid$target:libc:open:entry"
say -ln "pid$target:a.out:pause:entry" | awk '{ print $3, $4, $5 }'
stop
echo "-- not permitted"
cp "$dtrace" /tmp/dtrace.$$
target=1
setpriv --reuid 65534 --regid 65534 --clear-groups /tmp/dtrace.$$ -xerrtags -ln 'pid1:a.out:main:entry' 2>&1 |
	grep -o '\[D_.*'
rm /tmp/dtrace.$$
