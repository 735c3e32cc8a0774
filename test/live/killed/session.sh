# A session in a file outlives dtlive: it is offered, and started when asked for.  Ended ones are not in it.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start --session session
post /instrumentations '{"program":"tick-1s { @b = count(); }","title":"ticks"}' > /dev/null
post /instrumentations '{"program":"tick-2s { @b = count(); }","title":"gone"}' > /dev/null
await_state 1 running
await_state 2 running
send PATCH /instrumentations/1 '{"pinned":true,"title":"renamed"}' > /dev/null
send DELETE /instrumentations/2 '' > /dev/null
await session renamed
for _ in $(seq $looks); do
	grep -q gone session || break
	sleep 0.05
done
{ kill -KILL $monitor; wait $monitor; } 2> /dev/null
$json --get "value" < session
rm url
live_start --session session
get /status | $json --get "[one['title'] for one in value['lost']]"
get /instrumentations
echo
post /restore '{"all":true}' | $json --get "value"
await_state 1 running
get /instrumentations/1 | $json --get "value['title'], value['pinned']"
live_stop
echo nonsense > session
"$dtlive" --session session > /dev/null
echo $?
