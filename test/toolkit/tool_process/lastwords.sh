# lastwords: the last calls of a program, of many more, in order; then it ends.
. "$suite/toolkit.sh"
name_of_its_own python3
cat > calls.py <<'Y'
import os
for _ in range(5000): os.getppid()
os.sched_yield()
os._exit(7)
Y
"$dtrace" -s "$suite/../toolkit/lastwords" $me > words &
tracer=$!
# nothing but a heading is printed before the end: run it until somebody listens
for _ in $(seq $looks); do
	./$me calls.py
	kill -0 $tracer 2> /dev/null || break
done
wait $tracer
head -1 words | sed "s/$me/it/"
grep . words | sed 1d > out
awk -v me=$me '$3 != me { print "what:", $0 } $1 < last { print "not in order:", $0 } { last = $1 }
	$4 == "getppid" { getppid++ }
	END { print (getppid < 5000 ? "the last of many" : getppid) }' out
tail -2 out | awk '{ print $4, ($4 == "exit_group" ? $5 : "") }'
