# Trap 15: an operand that nobody uses is an error, if it is the last.
"$dtrace" -qn 'BEGIN { trace($1); exit(0); }' 1 2
echo "status $?"
"$dtrace" -qn 'BEGIN { trace($2); exit(0); }' 1 2
echo "status $?"
"$dtrace" -qn 'BEGIN { exit(0); }' -x argref 1 2
echo "status $?"
