# The example consumer, linked both ways, sees records, errors and aggregations
# as data.  What `make` leaves is enough to run it.
top=$suite/..
build=$(dirname "$dtrace")
# the library may have been built with a sanitizer
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -Wall -Wextra -Werror $flags -I"$top/include" -o static "$top/examples/count.c" "$build/libdtrace.a" || exit 1
cc -Wall -Wextra -Werror $flags -I"$top/include" -o shared "$top/examples/count.c" -L"$build" -ldtrace || exit 1
echo static
./static 'BEGIN { trace(42); trace((char)-3); trace("text"); this->s = "more"; printf("%s %d %x\n", this->s, -7, 255ULL); }
BEGIN { @c["b"] = count(); @c["a"] = count(); @c["b"] = count(); @s[-3] = sum(-5); @q[1, "x"] = quantize(10); @n = max(3); }
BEGIN { trace(1); trace(*(int *)8); } BEGIN { exit(0); } END { printf("%d", $1); }' 7; echo "status $?"
echo shared
LD_LIBRARY_PATH=$build ./shared 'BEGIN { trace(probename); exit(0); }'; echo "status $?"
./static 'BEGIN { nonsense; }' 2>&1; echo "status $?"
