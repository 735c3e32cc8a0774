# A consumer takes text by callback, changes aggregations, cuts a run short.
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -Wall -Wextra -Werror $flags -I"$suite/../include" -o consumer "$test/consumer.c" "$build/libdtrace.a" || exit 1
./consumer; echo "status $?"
