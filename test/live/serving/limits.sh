# What costs too much is stopped, what nobody looks at ends unless it is pinned, and there is a most of instrumentations.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start --max-cost 0.00001% --max-instrumentations 2 -n 'syscall:::entry { @[execname] = count(); }'
await_state 1 ended
get /instrumentations/1 | $json --get "value['reason']" | sed 's/took [0-9.]*/took N/'
post /instrumentations '{"program":"BEGIN {}"}' > /dev/null
status -X POST -H 'Content-Type: application/json' -d '{"program":"BEGIN {}"}' "$base/api/1/instrumentations"
live_stop
rm url
live_start --idle-max 2s -n 'tick-1s { @ = count(); }' -n 'tick-1s { @ = count(); }'
await_state 1 running
await_state 2 running
send PATCH /instrumentations/2 '{"pinned":true}' > /dev/null
# a list is not a look
await_value /instrumentations "value['instrumentations'][0]['state'] == 'ended'"
get /instrumentations | $json --get "[(one['state'], one['reason']) for one in value['instrumentations']]"
