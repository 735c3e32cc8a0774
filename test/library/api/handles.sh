# Handles: two trace at once; of a thousand one after the other nothing is left.
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -g $flags -I"$suite/../include" -o handles "$test/handles.c" "$build/libdtrace.a" || exit 1
./handles together; echo "status $?"
many=1000 several=100
[ "$again" ] && many=20 several=10
# what malloc keeps for later is not in use
export GLIBC_TUNABLES=glibc.malloc.tcache_count=0
./handles compile $many | sed "s/ $many / MANY /"
./handles trace $several | sed "s/ $several / SEVERAL /"
# A sanitizer has looked for leaks by itself.  Valgrind needs the symbols of the
# C library, which tests do not see otherwise, and tells of system calls that
# are newer than it is.
memcheck='umount /usr/lib/debug; exec valgrind -q --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=9 "$@"'
[ "$flags$again" ] && memcheck='exec "$@"'
unshare -m sh -c "$memcheck" sh ./handles compile 2 2> said
echo "status $?"
grep -v '^--' said
true
