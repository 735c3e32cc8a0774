# intbycpu.d, intoncpu.d, inttimes.d: software interrupts are those that the kernel counts.
. "$suite/toolkit.sh"
counted() { awk '/^softirq/ { print $2 }' /proc/stat; }
cat > run.sh <<'Y'
counted() { awk '/^softirq/ { print $2 }' /proc/stat; }
first=$(counted)
until [ $(counted) -ge $((first + 100)) ]; do sleep 0.05; done
echo $(($(counted) - first))
Y
# $least happened while the tool looked on, $most from before it until after
look() {
	before=$(counted) begin=$(date +%s%N)
	tool $1 -- sh run.sh > all
	most=$(($(counted) - before)) time=$(($(date +%s%N) - begin)) least=$(cat command.out)
}
is_between() { awk -v least=$least -v most=$most '{ print ($1 >= least && $1 <= most ? "as many as there were" : $1 ", not " least " to " most) }'; }
echo "by CPU"
look intbycpu.d
grep CPU all
awk '/^ *[0-9]+ +[0-9]+ +[0-9]+$/ { sum += $3; if ($1 in seen) print "again: " $0; seen[$1] } END { print sum }' all | is_between
echo "as distributions"
look intoncpu.d
awk '/ \(ns\)/ { is_soft = /softirq#/ } /\|/ && is_soft { sum += $NF } END { print sum }' all | is_between
echo "by device"
look inttimes.d
grep DEVICE all
awk -v time=$time -v cpus=$(getconf _NPROCESSORS_ONLN) '/softirq#/ { sum += $2; if ($2 <= 0) print "no time: " $0 } END { print (sum > 0 && sum < cpus * time) }' all
