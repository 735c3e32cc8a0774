# A command that is held does not move while programs that ask about its libraries are compiled.
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -Wall -Wextra -Werror $flags -I"$suite/../include" -o held "$test/held.c" "$build/libdtrace.a" || exit 1
cat > program.c <<'C'
#include <stdlib.h>
#include <unistd.h>
__attribute__((constructor)) static void begin(void) { write(1, "the command has begun\n", 22); }
int main(void) { free(malloc(7)); exit(3); }
C
gcc -o program program.c
echo "a function of a library:"
./held ./program '#pragma D option quiet
pid$target:libc:exit:entry { printf("exit(%d)\n", (int)arg0); }'; echo "status $?"
echo "one of the program, and what comes behind it waits with the first that does:"
./held ./program '#pragma D option quiet
pid$target:a.out:main:entry { self->n = 1; }' \
	'pid$target:libc:exit:entry { self->m = self->n + 1; }' \
	'END { trace("end"); } pid$target:libc:exit:entry /self->m/ { printf("%d\n", self->m); }'; echo "status $?"
echo "what is wrong is said when it is known:"
./held ./program 'pid$target:libc:exit:entry { trace(nosuch); }'; echo "status $?"
./held ./program 'pid$target:libc:nosuchfunction:entry { }' | sed 's/pid[0-9]*/pidN/; s/: it has.*//'
./held ./program 'pid$target:libc:exit:entry { trace(1) trace(2); }'; echo "status $?"
