# A clause may have 2,000 aggregations, a probe 3,000 clauses with them, and a
# script more arrays than the kernel allows maps in a program; every one is
# counted.
sum() { # of the values printed, how many, and status
	"$dtrace" -q -x aggsize=16m "$@" > out 2> err; status=$?
	awk 'NF { n++; total += $NF } END { printf("%d values, sum %d, ", n, total) }' out
	echo "status $status"
	cat err
}
one() { # clause with $1 aggregations
	awk -v n="$1" 'BEGIN { print "BEGIN {"; for (i = 0; i < n; i++) printf("@a%d[pid, %d] = sum(%d);\n", i, i, i); print "exit(0); }" }'
}
# $2 clauses of probe $1; each has an aggregation with and one without key
clauses() {
	awk -v probe="$1" -v n="$2" 'BEGIN {
		for (i = 0; i < n; i++) printf("%s { @a%d = max(%d); @b%d[probename] = quantize(%d); @b%d[\"x\"] = quantize(2); }\n", probe, i, i, i, i, i);
		printf("%s { exit(0); }\nEND {", probe)
		for (i = 0; i < n; i += 10) printf("printa(\"%%@d\\n\", @a%d);\n", i);
		for (i = 0; i < n; i++) printf("clear(@b%d); trunc(@b%d); trunc(@a%d);\n", i, i, i);
		print "}" }'
}
many=1000
[ "$again" = kernel ] && many=150	# verification takes minutes there
one 200 > one.d
sum -s one.d
one $((many * 2)) > one.d
sum -s one.d | sed "s/^$((many * 2)) values, sum $(((many * 2 - 1) * many)),/all values,/"
clauses BEGIN 100 > many.d
sum -s many.d
clauses tick-10ms $many > many.d
sum -s many.d | sed "s/^$((many / 10)) values, sum $(((many - 10) * many / 20)),/all values,/"
awk -v n=$((many * 3)) 'BEGIN { for (i = 0; i < n; i++) printf("BEGIN { @c%d = count(); @k%d[probename] = sum(%d); }\n", i, i, i); print "BEGIN { exit(0); }" }' > many.d
sum -s many.d | sed "s/^$((many * 6)) values, sum $((many * 3 + (many * 3 - 1) * many * 3 / 2)),/all values,/"
# arrays of one clause, of many, of threads
awk 'BEGIN { print "BEGIN {"; for (i = 0; i < 100; i++) printf("a%d[%d] = %d;\n", i, i, i); print "trace(a99[99]); exit(0); }" }' > one.d
sum -s one.d
for scope in "" "self->"; do
	awk -v scope="$scope" 'BEGIN { for (i = 0; i < 100; i++) printf("BEGIN { %sa%d[%d] = %d; }\n", scope, i, i, i);
		for (i = 0; i < 100; i++) printf("BEGIN { total += %sa%d[%d]; }\n", scope, i, i); print "BEGIN { trace(total); exit(0); }" }' > many.d
	sum -s many.d
done
