# Nothing matched: an error, unless -Z.
"$dtrace" -n 'nosuch:::{ trace(1); }'; echo $?
"$dtrace" -Z -qn 'nosuch:::{ trace(1); } BEGIN { printf("ran\n"); exit(0); }'; echo $?
