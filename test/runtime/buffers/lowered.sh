# bufresize=auto takes what there is and says so; manual refuses.
"$dtrace" -qn 'BEGIN { printf("fine\n"); exit(0); }' -b 64t 2>&1 | sed 's/to [0-9]*[kmg]$/to SIZE/'
"$dtrace" -qn 'BEGIN { printf("fine\n"); exit(0); }' -b 64t -x quietresize 2>&1
"$dtrace" -qn 'BEGIN { exit(0); }' -b 64t -x bufresize=manual
echo "status $?"
for option in aggsize dynvarsize specsize; do
	"$dtrace" -qn 'BEGIN { a[1] = 2; @ = sum(a[1]); }
		BEGIN { self->id = speculation(); speculate(self->id); printf("never\n"); }
		BEGIN { exit(0); } END { printa("%@d\n", @); }' -x $option=64t 2>&1 | sed 's/to [0-9]*[kmg]$/to SIZE/'
done
