# Malformed, foreign, oversized and repeated messages, and ten million keys: refused or bounded, counted, said; the table is right.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
agent one
run_start --take-over tested -v -n 'BEGIN { printf("ready\n"); } syscall::chdir:entry /pid == '$$'/ { @ = count(); }' -x aggby=host
await out 'one: ready'
"$suite/nats.py" 10.78.0.1:4222 catch 'dt.1.agg.tested.*' caught 4 &
catcher=$!
sleep 1
change_directories 7
wait $catcher
echo "== each message twice more"
"$suite/nats.py" 10.78.0.1:4222 repeat caught 2
echo "== rubbish, nothing, a wrong version"
head -c 3000 /dev/urandom > rubbish
printf '\002\003one' > version
: > nothing
for file in rubbish version nothing; do
	"$suite/nats.py" 10.78.0.1:4222 publish dt.1.agg.tested.one $file
done
echo "== messages of one under the name of two"
sed 's/tested.one/tested.two/g' caught > forged
"$suite/nats.py" 10.78.0.1:4222 repeat forged 1
echo "== two megabytes"
head -c 2000000 /dev/zero > large
"$suite/nats.py" 10.78.0.1:4222 publish dt.1.agg.tested.one large | grep -o closed
echo "== a million keys of a host that nobody knows; ten, if there is time"
messages=200
[ ! "${FLEET_LONG:-}" ] || messages=2000
"$suite/nats.py" 10.78.0.1:4222 flood dt.1.agg.tested.evil evil 7 tested $messages
echo "== requests that are none"
for request in '{"do":"enable","id":"lines","metric":"x\ndtlive agent: enabled all for root"}' '' '[]' '{"do":"everything"}' '{"do":"enable"}' '{"do":"enable","id":"a.b","program":"BEGIN"}'; do
	printf %s "$request" > request
	"$suite/nats.py" 10.78.0.1:4222 publish dt.1.ctl.anyone.one request
done
sleep 2
run_end > result
grep -v 'came twice\|^  evil ' result
grep -q ' 0 messages came twice' result && echo "none came twice?"
grep -o ', [1-9][0-9]* were malformed' result > /dev/null && echo "malformed ones are counted"
grep -o ', [1-9][0-9]* foreign' result > /dev/null && echo "foreign ones are counted"
sed 's/ for anyone: .*//' one.log
