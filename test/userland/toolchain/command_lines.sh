# Command lines of projects that were written for another dtrace: flags in any
# order, flags that mean nothing here, scripts elsewhere.
. "$suite/lib.sh"
not_in_guests
mkdir -p sub/dir include
echo '#define TYPE unsigned int' > include/types.h
cat > sub/dir/probes.d <<'D'
#include "types.h"
#ifdef MORE
#define EXTRA probe extra(TYPE);
#else
#define EXTRA
#endif
provider p { probe a(TYPE, char *); EXTRA };
D
echo 'provider q { probe b(int); };' > plain.d
echo 'provider q { probe b(int); }' > open.d
cp plain.d plain.probes
printf '#include "x.h"\nint main(void) { Q_B(1); return 0; }\n' > main.c
run() {
	rm -f ./*.h ./*.o ./*.tmp
	printf '%s: ' "$*"
	[ -e main.o ] || { "$dtrace" -h -s plain.d -o x.h; gcc -c main.c; rm x.h; }
	"$dtrace" "$@" 2> err
	echo "$? $(ls ./*.h ./*.tmp ./*.o | grep -v main.o | tr '\n' ' ')" | sed 's/ $//'
	cat err
} 2> /dev/null
run -h -s plain.d
run -s plain.d -h
run -hs plain.d
run -h -splain.d
run -h -s plain.d -o out.h
run -o out.h -h -s plain.d
run -C -h -Iinclude -s sub/dir/probes.d -o probes.h
run -h -C -I include -D MORE -DOTHER=1 -s sub/dir/probes.d
run -o probes.h.tmp -h -C -Iinclude -s sub/dir/probes.d
run -G -s plain.d
run -G -s plain.d -o out.o
run -C -G -Iinclude -s sub/dir/probes.d -o out.o
run -64 -G -s plain.d main.o
run -32 -h -s plain.d
run -fPIC -G -s plain.d -o out.o
run -G -fpic -k -s plain.d
run --types -h -s plain.d
run -h --no-pyparsing -s plain.d
run -xnolibs -h -s plain.d
run -x nolibs -x linktype=elf -G -s plain.d main.o -o out.o
run -G -o out.o -s plain.d main.o
run -h -s plain.probes
run -h -s open.d
CPP='gcc -E' run -C -h -Iinclude -s sub/dir/probes.d
