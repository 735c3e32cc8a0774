# vfsread.d of the Linux talk, as printed there: a distribution of latencies by
# process name.
. "$suite/lib.sh"
needs_functions
cp "$test/vfsread.d.txt" vfsread.d
"$dtrace" -s ./vfsread.d -c "$triggers/calls now read 500" > out 2> err
head -1 err
awk 'NF == 2 && $2 == "ns" { name = $1 } /Distribution/ { if (name == "calls") print name, "ns", $1 }' out
awk 'NF == 2 && $2 == "ns" { name = $1 } name == "calls" && /\|/ { n += $NF } END { print (n >= 500) ? "all reads" : n }' out
