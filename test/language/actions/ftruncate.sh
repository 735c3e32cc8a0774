# ftruncate() empties the file of -o; a terminal or pipe is left alone.
"$dtrace" -qn 'BEGIN { printf("gone\n"); ftruncate(); printf("kept\n"); exit(0); }' -o file
cat file
"$dtrace" -qn 'BEGIN { printf("stays\n"); ftruncate(); printf("too\n"); exit(0); }' | cat
