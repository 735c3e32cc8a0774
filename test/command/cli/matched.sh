# The lines that say what was matched; -q keeps them quiet.
"$dtrace" -n 'BEGIN { exit(0); }' 2>&1
echo 'BEGIN,END { exit(0); }' > x.d
"$dtrace" -s x.d 2>&1
"$dtrace" -qn 'BEGIN { exit(0); }' 2>&1
"$dtrace" -P dtrace -n 'tick-1ms { exit(0); }' 2>&1 | grep -v -e tick -e '^$'
