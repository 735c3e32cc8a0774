# Programs that are wrong, destructive or set forbidden options: the state says why, with place and excerpt.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start
try() {
	post /instrumentations "$1" | $json --get "value['state']"
	id=$((id + 1))
	await_state $id failed
	get /instrumentations/$id | $json --get "value['reason'], value['error'] and value['error'].get('excerpt')"
}
try '{"program":"BEGIN { @ = }"}'
get /instrumentations/1 | $json --get "value['error']['complaints'][0]['tag'], value['error']['complaints'][0]['line']"
try '{"program":"BEGIN { system(\"id\"); }"}'
try '{"program":"#pragma D option destructive\nBEGIN { system(\"id\"); }"}'
try '{"program":"BEGIN {}","options":{"strsize":"many"}}'
try '{"program":"BEGIN {}","pid":2147483647}'
try '{"program":"nothing:::at-all {}"}'
