# Trap 20: -q still prints the last newline, and the header of -F.
"$dtrace" -qn 'BEGIN { exit(0); }' | od -c
"$dtrace" -qFn 'BEGIN { exit(0); }'
