# -P -m -f -n -i, with clauses of their own; all programs form one enabling.
"$dtrace" -q -P dtrace'{ printf("%s ", probename); }' -i 1'{ printf("by id "); }' -n 'BEGIN { exit(0); }'
"$dtrace" -q -n BEGIN -n 'BEGIN { printf("two "); exit(0); }'
"$dtrace" -l -m vmlinux -f read | awk 'NR > 1 && $5 { print $2, $4, $5 }' | sort -u | grep ' read '
