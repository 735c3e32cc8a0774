# Faults and drops are items, and nothing goes to stderr.
"$dtrace" -qx oformat=ndjson -n 'BEGIN { trace(*(int *)0); } BEGIN { trace(1 / (pid - pid)); } BEGIN { exit(0); }' |
	python3 "$test/check.py" ndjson | sed 's/ at BPF pc [0-9]*//'
"$dtrace" -qx oformat=ndjson -x bufsize=4k -x cpu=0 -n 'BEGIN { tracemem(curthread, 3000); } BEGIN { tracemem(curthread, 3000); }
	BEGIN { exit(0); }' | python3 "$test/check.py" ndjson | grep '"drop"'
