# Destructive actions are refused without -w.
"$dtrace" -qn 'BEGIN { stop(); exit(0); }'; echo $?
