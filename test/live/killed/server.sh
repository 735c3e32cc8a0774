# A server that is killed takes the workers along; another one has the same address and token, says what was lost, and starts it when asked.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start -n 'BEGIN { @a = count(); }'
post /instrumentations '{"program":"tick-1s { @b = count(); }","title":"ticks"}' > /dev/null
await_state 1 running
await_state 2 running
get /status > before
workers=$(pgrep -P $monitor -f 'dtlive worker')
kill -KILL $server
for _ in $(seq $looks); do
	get /status > after 2> /dev/null && [ -s after ] && break
	sleep 0.05
done
for worker in $workers; do
	for _ in $(seq $looks); do
		[ -e /proc/$worker ] || break
		sleep 0.05
	done
	[ -e /proc/$worker ] && echo "worker $worker is still there"
done
python3 -c '
import json
before, after = (json.load(open(name)) for name in ("before", "after"))
print("another one:", before["epoch"] != after["epoch"])
print(after["instrumentations"]["count"], [(one["title"], sorted(one["spec"])) for one in after["lost"]])'
post /restore '{"all":true}' | $json --get "value"
await_value /instrumentations "[one['state'] for one in value['instrumentations']] == ['running', 'running']"
get /instrumentations | $json --get "[one['title'] for one in value['instrumentations']]"
get /status | $json --get "value['lost']"
cat said
