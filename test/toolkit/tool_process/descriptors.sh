# fddist, pfilestat: which descriptors a known process uses, and where it waits.
. "$suite/toolkit.sh"
name_of_its_own dd
tool fddist -n $me -- ./$me if=/dev/zero of=/dev/null bs=1 count=70 status=none > out
grep -c "EXEC: $me .*PID: [0-9]" out
awk '$1 == 1 { print $1, $NF }' out
tool fddist -w -n $me -- ./$me if=/dev/zero of=/dev/null bs=1 count=70 status=none | awk '$1 ~ /^[01]$/ { print $1, $NF }'
# a process that reads from a pipe into which nobody writes, and then does
mkfifo pipe
rm -f armed
cat pipe > copy &
target=$!
exec 9> pipe
await_exec $target "$(command -v cat)"
"$dtrace" -w -n 'tick-10ms /!armed/ { armed = 1; system("touch armed"); }' -s "$suite/../toolkit/pfilestat" $target 3600 > out 2> err 9>&- &
tracer=$!
for _ in $(seq $looks); do [ -e armed ] && break; sleep 0.05; done
for _ in 1 2 3 4; do sleep 0.1; echo text >&9; done
for _ in $(seq $looks); do [ "$(wc -l < copy)" = 4 ] && break; sleep 0.05; done
exec 9>&-
wait $target
kill -INT $tracer
wait $tracer
awk '/STATE/ { print $1, $2, $3, $4 } $1 == "sleep-r" && $4 ~ /pipe$/ { print $1, ($3 >= 20 ? "most of the time" : $3), "pipe" }
	$1 == "write" && $4 ~ /copy$/ { print $1, $2, "copy" }' out
