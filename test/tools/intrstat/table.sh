# Two tables of the CPUs that are wanted; the software interrupts are seen
# in them.  Wrong CPUs are refused.
intrstat=$(dirname "$dtrace")/intrstat
"$intrstat" -c 0 1 2 > out
# the column of names is as wide as the longest, at least 12
sed -n 's/ *$//; /device/ s/^ *//p; /^---/ s/^-------------*/-------------/p' out
grep -qE '^ *softirq#(sched|rcu|timer) \| +[0-9]+ +[0-9.]+$' out && echo "software interrupts"
"$intrstat" -C 99999 2>&1
"$intrstat" none 2>&1 | head -1
"$intrstat" -T x 2>&1 | head -1
