# sampleproc, threaded.d, stacksize.d: a program that computes in one thread.
. "$suite/toolkit.sh"
name_of_its_own python3
cat > computes.py <<'Y'
import time
until = time.process_time() + 1		# of CPU time, however long that takes
while time.process_time() < until: pass
Y
# CPUs that count at once may lose a sample of the total: D's variables are not atomic.
tool sampleproc --rate 200 -- ./$me computes.py > out
awk -v me=$me '/PID/ { print $1, $2, $3, $4 } $3 > 0 { all += $3 } $2 == me { mine = $3; percent = $4 }
	END { print (mine > 100 ? "many samples" : mine), (percent - int(100 * mine / all) <= 1 && percent >= int(100 * mine / all) ? "right percentage" : percent " of " all) }' out
tool threaded.d -n $me -- ./$me computes.py > out
awk '/CMD:/ { page++ } $1 == 0 { first += $NF } /\|/ && $1 > 0 { others += $NF }
	END { print "first thread:", (first > 50 ? "many samples" : first), "others:", others + 0 }' out
tool stacksize.d -- ./$me -c 'def deep(n): return n and 1 + deep(n - 1)
deep(900)' | awk -v me=$me '/EXEC/ { print $1, $2 } $1 == me { print ($2 >= 8192 && $2 % 4096 == 0 ? "pages" : $2) }'
