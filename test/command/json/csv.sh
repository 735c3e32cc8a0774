# Tables of aggregations as CSV, read back by a real reader; the rest of the output is left out.
"$dtrace" -qx oformat=csv -n '
BEGIN {
	@a[execname, "x,y", 5] = count(); @a[execname, "say \"hi\"\n", -5] = count(); @b[execname, "x,y", 5] = max(17);
	@q[pid - pid] = quantize(5); @q[pid - pid] = quantize(100); @l = lquantize(99, 0, 10);
	printf("not in csv\n"); trace(5);
	printa(@a, @b);
	exit(0);
}' > out.csv
cat out.csv
python3 -c '
import csv
for row in csv.reader(open("out.csv", newline="")):
    print(row)'
