# Two handles and a file of FUSE: each hears of its own refusal, and only the one that may wait reads it.
. "$suite/lib.sh"
modprobe -q fuse
[ -e /dev/fuse ] || skip "this kernel has no FUSE"
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -Wall -Wextra -Werror $flags -I"$suite/../include" -o served "$test/served.c" "$build/libdtrace.a" || exit 1
start_absent fuse 0
timeout 60 ./served $target; echo "status $?"
kill $target
wait $target || :
