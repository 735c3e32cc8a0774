# A function has one name in probefunc, whichever of its names was asked for: an exported
# one before a local one, then the one with fewer underscores.
. "$suite/lib.sh"
not_in_guests
cat > names.c <<'C'
__attribute__((noinline)) int __work(int n) { return n + 1; }
int work(int) __attribute__((alias("__work")));
static int busy(int) __attribute__((alias("__work"), used));
__attribute__((noinline)) int _rest(int n) { return n + 2; }
static int rest(int) __attribute__((alias("_rest"), used));
int _start_over(int) __attribute__((weak, alias("_rest")));
int main(void) { return work(1) + __work(2) + _rest(3) == 10 ? 0 : 1; }
C
gcc -o names names.c
for name in work __work busy '*work' 'b*y' rest _rest _start_over; do
	echo "$name: $("$dtrace" -qn 'pid$target:a.out:'"$name"':entry { @[probefunc] = count(); }
		END { printa("%s %@d ", @); }' -c ./names)"
done
# two names in two clauses are one probe
"$dtrace" -qn 'pid$target:a.out:work:entry { printf("%s", probefunc); } pid$target:a.out:__work:entry { printf(" %s\n", probefunc); }' \
	-c ./names
"$dtrace" -ln 'pid$target:libc:__libc_malloc:entry, pid$target:libc:_IO_puts:return' -c ./names | awk 'NR > 1 { print $3, $4, $5 }'
