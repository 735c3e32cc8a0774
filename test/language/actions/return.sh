# return() says what it would need.
"$dtrace" -wqn 'BEGIN { return(0); }'
echo "status $?"
