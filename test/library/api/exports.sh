# The libraries export what dtrace.h declares, all of it and no more.
# @anykernel: nothing is loaded
build=$(dirname "$dtrace")
header=$suite/../include/dtrace.h

# The compiler's own list of the functions; data is said to be extern.
gcc -aux-info prototypes -fsyntax-only -include "$header" -x c /dev/null || exit 1
{
	sed -n 's/.*dtrace\.h:[^(]*[ *]\([a-z_0-9]*\) (.*/\1/p' prototypes
	sed -n 's/^extern .*[ *]\([a-z_0-9]*\)\[\];/\1/p' "$header"
} | sort > declared
[ "$(wc -l < declared)" -gt 60 ] || echo "only $(wc -l < declared) names are declared"

# Names with their version; the version itself is a symbol, too.
nm -D --defined-only "$build/libdtrace.so" | sed 's/.* //' | sort > versioned
grep -v '@@DTRACE_[0-9.]*$' versioned
sed -n 's/@@.*//p' versioned > shared
nm -g --defined-only "$build/libdtrace.a" | sed -n 's/^[0-9a-f]* [A-Z] //p' | sort > static
for library in shared static; do
	echo "$library library:"
	diff declared $library
done
readelf -d "$build/libdtrace.so" | sed -n 's/.*(SONAME) *//p'
