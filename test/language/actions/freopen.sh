# Output goes to files by name and comes back; files grow, ftruncate() empties them.
"$dtrace" -wqn 'BEGIN { printf("here\n"); freopen("%s.%d", "file", 1); printf("first\n"); }
BEGIN { freopen("file.2"); printf("second\n"); freopen(""); printf("here again\n"); }
BEGIN { freopen("file.1"); printf("appended\n"); freopen(""); }
BEGIN { freopen("file.3"); printf("gone\n"); ftruncate(); printf("kept\n"); freopen(""); }
BEGIN { freopen("nosuch/dir/file"); printf("still here\n"); exit(0); }'
for file in file.1 file.2 file.3; do
	echo "$file:"
	cat $file
done
