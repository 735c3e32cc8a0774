# Trap 14: $1 may be a number, a name or a string; $$1 is a string; quotes are stripped.
"$dtrace" -qn 'BEGIN { printf("%d %s %s\n", $1, $$1, $2); exit($3); }' 17 '"quoted"' 0
"$dtrace" -qn 'BEGIN { printf("%d\n", $1 > 0); exit(0); }' pid
"$dtrace" -qn 'BEGIN { $1 = 5; printf("%d\n", $1); exit(0); }' variable
