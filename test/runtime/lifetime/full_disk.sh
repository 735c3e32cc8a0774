# Output to a full disk: one message, status 1.
"$dtrace" -qn 'BEGIN { printf("text\n"); exit(0); }' > /dev/full; echo $?
