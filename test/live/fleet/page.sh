# dtlive --nats: hosts and their pictures over HTTP; the process that speaks it does not know the password; hosts stop when it ends.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
cat > nats.conf <<'END'
authorization { users: [ { user: alice, password: unguessable } ] }
END
nats_start -c nats.conf
export DTLIVE_PASSWORD=unguessable
agent one --user alice --label role=db
agent two --user alice --label role=web
"$dtlive" --nats $url --user alice --port 8080 --hosts role=db -n 'BEGIN { @sizes = quantize(5); @["a"] = count(); } tick-10hz { @sizes = quantize(9); }' > page.log 2>&1 &
page=$!
processes="$page $processes"
await page.log token
token=$(sed -n 's/.*token=//p' page.log)
ask() {
	curl -s -H "Authorization: Bearer $token" "http://127.0.0.1:8080/api/1/$1"
}
# until PATTERN CALL
until_says() {
	for _ in $(seq $looks); do
		ask "$2" | grep -q "$1" && return
		sleep 0.1
	done
	echo "never $1: $(ask "$2")"
}
until_says '"reporting":1' instrumentations
until_says '"two"' hosts
ask hosts | grep -o '"host":"[a-z]*"' | sort -u
echo "== an instrumentation"
ask instrumentations/1 | grep -o '"fleet":{[^}]*}'
ask instrumentations/1/hosts | grep -o '"host":"[a-z]*","state":"[a-z]*"'
until_says '"t":' 'instrumentations/1/values'
sleep 3
now=$(date +%s)
echo "== which hosts is a rectangle made of"
ask "instrumentations/1/who?set=0&from=$((now - 20))000&to=$((now + 1))000" | sed 's/"count":[0-9]*/"count":N/; s/"whole":[a-z]*/"whole":B/'
echo
ask "instrumentations/1/who?set=0&from=$((now - 20))000&to=$((now + 1))000&low=66&high=66" | sed 's/"whole":[a-z]*/"whole":B/'
echo
ask "instrumentations/1/who?set=0&from=0&to=${now}000"
echo
ask "instrumentations/1/who?set=9"
echo
echo "== who knows the password"
cat > search.py <<'END'
import os, re, sys
page, word = int(sys.argv[1]), b"unguess" + b"able"
def has(pid):
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb") as memory:
        for line in maps:
            start, end = (int(part, 16) for part in re.match(r"(\w+)-(\w+) r", line).groups()) if re.match(r"\w+-\w+ r", line) else (0, 0)
            try:
                memory.seek(start)
                if word in memory.read(end - start):
                    return True
            except (OSError, ValueError, OverflowError):
                pass
    return False
children = [int(pid) for pid in open(f"/proc/{page}/task/{page}/children").read().split()]
nobody = [pid for pid in children if os.stat(f"/proc/{pid}/root").st_uid or "Uid:\t0" not in open(f"/proc/{pid}/status").read()]
print("the monitor:", has(page), "the server:", [has(pid) for pid in nobody])
END
python3 search.py $page
echo "== the end"
kill $page
wait $page
await one.log ended
grep -o 'stopped [0-9a-f]* of alice: .*' one.log | sed 's/ [0-9a-f]\{16\} / ID /'
unset DTLIVE_PASSWORD
for words in '--hosts role=db' "--nats $url -p 1 -n BEGIN" "--nats $url --replay x" "--nats $url --replicas many"; do
	"$dtlive" $words
	echo "status $?"
done
