# Provider files of real projects, with the commands of their own makefiles:
# the header compiles as C and C++, every probe and every question can be used,
# and the program has a note for each.
. "$suite/lib.sh"
not_in_guests
sources=$(dirname "$triggers")/sources
for file in postgresql/probes.d python/pydtrace.d ruby/probes.d ruby/vm_opts.h php/zend_dtrace.d; do
	[ -e "$sources/$file" ] || { echo "no $sources/$file (tools/sources.py fetches it)"; exit 77; }
done

# A program that uses all macros of header $1 that begin with $2.
harness() {
	awk -v header="$1" -v prefix="$2" '
		BEGIN { print "#include \"" header "\"\nint main(void)\n{\n\tint n = 0;" }
		/__extension__/ && index($2, prefix) == 1 {
			name = $2; sub(/\(.*/, "", name)
			arguments = $0; sub(/^[^(]*\(/, "", arguments); sub(/\).*/, "", arguments)
			gsub(/a[0-9]+/, "0", arguments)
			print "\tn += " name "_ENABLED();\n\t" name "(" arguments ");"
		}
		END { print "\treturn n;\n}" }' "$1" > harness.c
}

# Build it in C and C++ with the object that -G makes by command "$@".
check() {
	name=$1 header=$2 prefix=$3
	shift 3
	harness "$header" "$prefix"
	for language in c c++; do
		gcc -x $language -O2 -Wall -Wextra -Werror -c harness.c -o harness.o && "$dtrace" "$@" || exit 1
		gcc harness.o probes.o -o harness && ./harness && probes=$(grep -c "__extension__" "$header") &&
			sites=$(readelf -n harness | grep -c Provider:) &&
			[ "$sites" = "$probes" ] && echo "$name $language: every probe has a site" || echo "$name $language: $probes probes, $sites sites"
	done
}

cp "$sources/postgresql/probes.d" .
"$dtrace" -C -h -s probes.d -o probes.h.tmp && sed -e 's/POSTGRESQL_/TRACE_POSTGRESQL_/g' probes.h.tmp > probes.h
check postgresql probes.h TRACE_POSTGRESQL_ -C -G -s probes.d harness.o -o probes.o
grep -q 'TRACE_POSTGRESQL_QUERY_START(a0)' probes.h && echo "query-start has its text"

"$dtrace" -o pydtrace_probes.h -h -s "$sources/python/pydtrace.d"
sed 's/PYTHON_/PyDTrace_/' pydtrace_probes.h > py.tmp && mv py.tmp pydtrace_probes.h
check python pydtrace_probes.h PyDTrace_ -o probes.o -G -s "$sources/python/pydtrace.d" harness.o

"$dtrace" -o probes.h.tmp -h -C -I"$sources/ruby" -s "$sources/ruby/probes.d"
sed -e 's/RUBY_/RUBY_DTRACE_/g' -e 's/PROBES_H_TMP/RUBY_PROBES_H/' -e 's/(char \*/(const char */g' \
	-e 's/, char \*/, const char */g' probes.h.tmp > probes.h
grep -m1 RUBY_PROBES_H probes.h
check ruby probes.h RUBY_DTRACE_ -G -C -I"$sources/ruby" -s "$sources/ruby/probes.d" -o probes.o harness.o

"$dtrace" -h -C -s "$sources/php/zend_dtrace.d" -o zend_dtrace_gen.h.bak && sed -e 's,PHP_,DTRACE_,g' zend_dtrace_gen.h.bak > zend_dtrace_gen.h
check php zend_dtrace_gen.h DTRACE_ -G -o probes.o -s "$sources/php/zend_dtrace.d" harness.o
