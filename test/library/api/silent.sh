# The library writes to no stream that it was not given.
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -Wall -Wextra -Werror $flags -I"$suite/../include" -o silent "$test/silent.c" "$build/libdtrace.a" || exit 1
mkdir library
echo 'inline int broken = ;' > library/broken.d
echo "nobody listens"
./silent 2> said; echo "status $?"
cat said
echo "with a function"
./silent told 2> said; echo "status $?"
cat said
