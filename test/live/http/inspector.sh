# Errors of a program, completion and processes come from the inspector; if it is killed or takes too long, another one answers.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start --client-timeout 3s
post /check '{"program":"BEGIN { @ = }"}' > check
$json < check
post /check '{"program":"BEGIN { exit(0); }"}'
echo
post /complete '{"program":"sysc","cursor":4}' > complete
$json < complete
$json --get "value['candidates'][0]['text']" < complete
get /processes > processes
$json < processes | grep -v service
$json --get "1 in [one['pid'] for one in value['processes']]" < processes
status -X POST -H 'Content-Type: application/json' -d '{"program":7}' "$base/api/1/check"
status -X POST -H 'Content-Type: application/json' -d '{"program":""}' "$base/api/1/complete"
inspector=$(pgrep -P $monitor -f inspector)
kill -KILL $inspector
await_value /processes "value['processes']"
[ "$(pgrep -P $monitor -f inspector)" != $inspector ] && echo "another one"
# one that never answers
inspector=$(pgrep -P $monitor -f inspector)
kill -STOP $inspector
status -X POST -H 'Content-Type: application/json' -d '{"program":"BEGIN {}"}' "$base/api/1/check"
await_value /processes "value['processes']"
[ "$(pgrep -P $monitor -f inspector)" != $inspector ] && echo "another one again"
