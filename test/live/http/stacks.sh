# Stacks of a set as a flame graph reads them, and against the rest; a recording of it replays.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start
post /instrumentations '{"program":"syscall::read:entry /execname == \"dd\"/ { @[stack(3), execname] = quantize(arg2); }"}' > /dev/null
await_state 1 running
dd if=/dev/zero of=/dev/null bs=1000 count=50 status=none
dd if=/dev/zero of=/dev/null bs=100000 count=50 status=none
await_value "/instrumentations/1/details?set=0" "value['total'] >= 100"
get /instrumentations/1 | $json --get "value['view'], value['sets'][0]['hasStacks'], value['sets'][0]['keyNames']"
get "/instrumentations/1/stacks?set=0" > stacks
$json < stacks
$json --get "len(value['strings']) > 0, value['countBefore']" < stacks
get "/instrumentations/1/stacks?set=0&low=75&against=rest" | $json --get "len(value['strings']) > 0, value['countBefore']"
get "/instrumentations/1/values" | $json --get "len(value['nodes'][0]), len(value['frames'][0]), value['nodes'][0]"
get /instrumentations/1/recording > recording
post /instrumentations/1/stop '{}' > /dev/null
"$dtrace" --replay recording -x oformat=ndjson | grep -c '"dd"' > lines
[ "$(cat lines)" -gt 0 ] && echo replayed
"$dtlive" --replay recording > url2 2> said2 &
other=$!
await url2 token=
url=$(cat url2) token=${url#*token=} base=${url%/?token*}
await_value /instrumentations "value['instrumentations'][0]['state'] == 'ended'"
get /instrumentations/1/details | $json --get "value['keyNames'], value['keys'][0]['key'], value['total'] >= 100"
get /status | $json --get "value['replay']"
status -X POST -H 'Content-Type: application/json' -d '{"program":"BEGIN {}"}' "$base/api/1/instrumentations"
kill $other
