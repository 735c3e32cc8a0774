# Metrics are listed with their fields; one becomes a program, and an instrumentation; what is wrong is explained.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start
get /metrics | $json
post /generate '{"metric":"syscall.calls","by":["execname"],"where":{"eq":["execname","a\"b"]}}' > made
$json < made
$json --get "value['program']" < made
post /instrumentations '{"metric":"syscall.calls","by":["execname"],"where":{"ne":["execname","nobody"]}}' > one
$json --get "value['metric'], value['by'], value['where'], value['view'], value['unit'], value['stacks']" < one
await_value /instrumentations/1 "value['sets']"
get /instrumentations/1 | $json --get "value['sets'][0]['unit'], value['sets'][0]['keyNames']"
for wrong in '{"metric":"no.such"}' '{"metric":7}' '{"metric":"syscall.calls","by":["nothing"]}' '{"metric":"syscall.calls","where":{"eq":["nothing",1]}}' '{"metric":"syscall.calls","where":"x"}'; do
	status -X POST -H 'Content-Type: application/json' -d "$wrong" "$base/api/1/generate"
done
