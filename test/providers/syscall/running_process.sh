# The system calls of a process that runs already, named by an operand.
. "$suite/lib.sh"
sh -c 'while :; do : < /dev/null; done' &
target=$!
"$dtrace" -n 'syscall:::entry /pid == $1/ { @[probefunc] = count(); } tick-1s { exit(0); }' $target > out 2>&1
kill $target
grep -q '^dtrace: description .* matched [0-9]* probes$' out && echo matched
grep -qE '^  openat +[0-9]+$' out && echo openat
grep -qE '^  close +[0-9]+$' out && echo close
