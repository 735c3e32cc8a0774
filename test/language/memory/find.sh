# Every file that find opens is named by the path it passed, even constants that were not in memory yet.
. "$suite/lib.sh"
for i in 1 2 3 4 5 6 7 8; do
	for j in 1 2 3 4 5 6 7 8; do
		mkdir -p "tree/directory-$i/a longer name for a directory, with blanks, $i-$j"
	done
done
# A name that no other process has.
cp "$(command -v find)" finder
"$dtrace" -qn 'syscall::openat:entry { self->p = copyinstr(arg1); }
	syscall::openat:return /self->p != NULL/ {
		printf("%s %s %d\n", execname, self->p, (int)arg0); self->p = NULL; }
	syscall::openat:return /execname == "finder"/ { @calls = count(); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }
	END { printa("in all: %@d\n", @calls); }' > out 2> err &
tracer=$!
await out armed
for _ in 1 2 3 4 5; do
	./finder tree > /dev/null
done
kill -INT $tracer
wait $tracer
grep '^finder ' out > opened
[ "$(wc -l < opened)" = "$(sed -n 's/^in all: //p' out)" ] && echo "each call has its line"
sed -n 's/^finder \(tree\|directory-.*\|a longer.*\) [0-9]*$/\1/p' opened | sort | uniq -c | sed 's/^ *//' > names
find tree -type d | sed 's|.*/||; s/^/5 /' | sort -k2 > wanted
cmp names wanted && echo "each directory five times"
grep ld.so.cache opened | sed 's/ [0-9]*$//' | sort | uniq -c | sed 's/^ *//'
