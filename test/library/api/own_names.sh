# A program may use for itself every name that is used inside of the library.
# @anykernel: names are a matter of the linker
top=$suite/..
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
# names with a dot are of the sanitizer
nm -g --defined-only "$build"/src/*/*.o "$build"/src/arch/*/*.o | sed -n 's/^[0-9a-f]* [TDBR] \([a-zA-Z_0-9]*\)$/\1/p' | sort -u > inside
sed -n 's/^\t\([a-z_0-9]*\);/\1/p' "$top/src/api/libdtrace.map" | sort > public
comm -23 inside public > names
[ "$(wc -l < names)" -gt 1000 ] || echo "only $(wc -l < names) names: $(head names)"
for name in emit_fail lower_scalar language_compile session_go arena_new; do
	grep -qx $name names || echo "$name is not a name any more; choose another"
done

# each is a function of the program, which nobody may call
{
	echo '#include <stdlib.h>'
	sed 's/.*/void &(void); void &(void) { abort(); }/' names
} > names.c
cc -fno-builtin -c names.c || exit 1
cc $flags -I"$top/include" -o static "$top/examples/count.c" names.o "$build/libdtrace.a" || exit 1
cc $flags -rdynamic -I"$top/include" -o shared "$top/examples/count.c" names.o -L"$build" -ldtrace || exit 1
for kind in static shared; do
	echo $kind
	LD_LIBRARY_PATH=$build ./$kind 'BEGIN { printf("%s\n", strjoin("a", "b")); @[probename] = quantize(3); exit(0); }'
	echo "status $?"
done
