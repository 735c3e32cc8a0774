# Faults and drops are items, and nothing goes to stderr.
"$dtrace" -qx oformat=ndjson -n 'BEGIN { trace(*(int *)0); } BEGIN { trace(1 / (pid - pid)); } BEGIN { exit(0); }' |
	python3 "$test/check.py" ndjson | sed 's/ at BPF pc [0-9]*//'
"$dtrace" -qx oformat=ndjson -x bufsize=4k -x switchrate=1s -n 'profile-5000hz { trace("0123456789"); } tick-300ms { exit(0); }' |
	python3 "$test/check.py" ndjson | grep '"drop"' | head -1 | sed 's/[0-9][0-9]* drop.*on CPU [0-9]*/N drops/; s/"count": [0-9]*/"count": N/'
