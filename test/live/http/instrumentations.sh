# An instrumentation is created, listed, changed, stopped and deleted; its shape is that of the manual.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start
post /instrumentations '{"program":"BEGIN { @calls[\"a key\"] = count(); }","title":"one","options":{"strsize":"512"}}' > one
$json --get "value['id'], value['title'], value['state'], value['program'], value['pinned']" < one
await_state 1 running
await_value /instrumentations/1 "value['sets']"
get /instrumentations/1 | $json
get /instrumentations | $json --get "[one['title'] for one in value['instrumentations']]"
send PATCH /instrumentations/1 '{"pinned":true,"title":"<b>"}' | $json --get "value['pinned'], value['title']"
post /instrumentations/1/stop '{}' > /dev/null
await_state 1 ended
get /instrumentations/1 | $json --get "value['reason'], value['ended'] >= value['started']"
get /instrumentations/1/values | $json --get "value['keys'], [column['rows'] for column in value['columns']]"
send DELETE /instrumentations/1 ''
echo
get /instrumentations
echo
status "$base/api/1/instrumentations/1"
