# -l of everything: every row has five columns' layout, ids ascend, BEGIN is 1.
"$dtrace" -l > out
head -n 2 out
awk 'NR > 1 { if ($1 <= last) bad++; last = $1; n++ } END { print bad + 0, (n > 600 ? "many" : n) }' out
