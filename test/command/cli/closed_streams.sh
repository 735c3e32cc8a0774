# A standard stream that is closed is not taken for the next thing that is opened.
"$dtrace" -qn 'BEGIN { printf("x\n"); exit(0); }' >&-; echo $?
"$dtrace" -qn 'BEGIN { printf("no input\n"); exit(0); }' <&-; echo $?
"$dtrace" -qn 'BEGIN { printf("no errors\n"); exit(0); }' 2>&-; echo $?
"$dtrace" -qn 'BEGIN { trace(nothing); }' 2>&-; echo $?
# No room for descriptors is nothing that the verifier refuses.
for n in 8 9 10 11 12 13 14 15 16; do
	(ulimit -n $n; exec "$dtrace" -qn 'BEGIN { exit(0); } syscall::read:entry { @ = count(); }' 2>&1)
done > said
grep -c verifier said
sed 's/.*: //' said | grep . | sort -u
