# -S prints three forms of the program: tree, IR, BPF.
"$dtrace" -S -e -n 'BEGIN { trace(1 + pid); exit(0); }' > out 2>&1; echo $?
grep -ci -e tree out > /dev/null && echo tree
grep -c -e 'BEGIN' out > /dev/null && echo probe
grep -c -i 'call' out > /dev/null && echo bpf
