# cswstat.d: no fewer switches than two programs need, no more than the kernel counts; their time.
. "$suite/toolkit.sh"
need_probe sched:::on-cpu
count=${again:+100}
count=${count:-1000}
counted() { awk '/^ctxt/ { print $2 }' /proc/stat; }
before=$(counted)
tool cswstat.d 1 -- taskset -c 0 "$triggers/pingpong" $count > all
after=$(counted)
awk -v least=$((2 * count)) -v most=$((after - before)) '
	NR == 1 { print; next }
	{ number += $5; time += $6; if ($5 > 100 && !($7 > 0)) print "average: " $0 }
	END { print (number >= least ? "enough" : number " of " least), (number <= most ? "not too many" : number " of " most), (time > 0) }' all
