# Names of objects and offsets as people write them: an object as programs ask
# for it (libmine.so.1), with a plus, with its link map; offsets with 0x and
# zeros; an address of the program as it was linked and as it is.
. "$suite/lib.sh"
not_in_guests
cat > mine.c <<'C'
int mine(int n) { return n + 1; }
C
cat > uses.c <<'C'
#include <unistd.h>
int mine(int);
int main(void) { return write(1, "started", 7) == mine(0) ? 0 : pause(); }
C
gcc -shared -fPIC -Wl,-soname,libmine++.so.1 -o libmine++.so.1.2.3 mine.c
ln -s libmine++.so.1.2.3 libmine++.so.1
gcc -Wl,-rpath,"$PWD" -o uses uses.c ./libmine++.so.1
./uses > started &
target=$!
await started started
list() {
	echo "$1: $("$dtrace" -ln "pid$target:$1" 2>/dev/null | awk -v linked="$linked" \
		'NR > 1 { sub("^" linked "$", "LINKED", $5); print $3, $4, $5 }')"
}
for object in libmine++ libmine++.so libmine++.so.1 libmine++.so.1.2 libmine++.so.2 \
	'libmine*' 'LM0`libmine++.so.1' 'LM1`libmine++.so.1'; do
	list "$object:mine:entry"
done
second=$(objdump -d --no-show-raw-insn --disassemble=mine libmine++.so.1 |
	awk -F: '/^ *[0-9a-f]+:\t/ && n++ < 2 { print $1 }' | tr -d ' ' | paste -sd ' ')
second=$(printf %x $((0x${second#* } - 0x${second% *})))
list ":mine:0x$second" | sed "s/^[^ ]*/with 0x:/; s/ $second\$/ N/"
list ":mine:00$second" | sed "s/^[^ ]*/with zeros:/; s/ $second\$/ N/"
linked=$(nm uses | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
bias=$(head -1 /proc/$target/maps)
list ":-:$linked" | sed 's/^[^ ]*/as linked:/'
list ":-:0x000$linked" | sed 's/^[^ ]*/with both:/'
list ":-:$(printf %x $((0x$linked + 0x${bias%%-*})))" | sed 's/^[^ ]*/as it is:/'
kill $target
