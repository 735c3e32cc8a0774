# What cannot be read, and what is not there.
. "$suite/lib.sh"
"$triggers/sites" > /dev/null &
target=$!
await_ready $target
try() {
	"$dtrace" -qn "$1" 2>&1 | grep -v '^       |' | sed "s/$target/PID/g"
}
try "sites$target:::float { trace(arg0); }"
try "sites$target:::float { trace(arg1); } BEGIN { exit(0); }"
try "sites$target:::lost { trace(args[0]); }"
try "sites$target:::missing { trace(arg0); }"
try "other$target:::wide { trace(arg0); }"
try "sites$target:::wide { trace(args[8]); }"
try "sites$target:libc.so.6::wide { trace(arg0); }"
try "sites$target:::wid { trace(arg0); }"
try "sites4194304:::wide { trace(arg0); }"
try 'sites2:::wide { trace(arg0); }'
# others may be there that nobody may look at
try 'nosuchprovider*:::wide { trace(arg0); }' | sed 's/no process .*/no process.../'
kill $target
wait $target 2>/dev/null
try "sites$target:::wide"
"$triggers/functions" &
target=$!
await_ready $target
"$dtrace" -qn "functions$target:::wide" 2>&1 | sed -n "s/of .* only/of ... only/; s/$target/PID/g; s/^ *= //p" |
	sed 's/nothing that .*/process PID has USDT probes of ... only/'
kill $target
wait $target 2>/dev/null
cp "$dtrace" /tmp/dtrace.$$
setpriv --reuid 65534 --regid 65534 --clear-groups /tmp/dtrace.$$ -n 'sites1:::wide' 2>&1 | head -1
rm /tmp/dtrace.$$
