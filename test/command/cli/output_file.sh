# -o appends.
"$dtrace" -q -o file -n 'BEGIN { printf("one\n"); exit(0); }'
"$dtrace" -q -o file -n 'BEGIN { printf("two\n"); exit(0); }'
cat file
