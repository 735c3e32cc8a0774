# A worker that is killed leaves no probe; its instrumentation says what happened and keeps what it had; others go on.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start -n 'BEGIN { @a["kept"] = count(); } syscall::openat:entry { @ = count(); }' -n 'tick-1s { @ = count(); }'
await_value /instrumentations/1 "value['sets']"
await_state 2 running
ask -N "$base/api/1/events" > events 2> /dev/null &
listener=$!
await events hello
worker=$(pgrep -P $monitor -f 'dtlive worker' | head -1)
kill -KILL $worker
await_value /instrumentations "sum(one['state'] == 'failed' for one in value['instrumentations']) == 1"
$json --get "[(one['state'], one['reason']) for one in value['instrumentations']]" < value.json | sed 's/SIGKILL/KILLED/'
await events 'was killed'
kill $listener
get /instrumentations/1/values | $json --get "[column for column in value['columns']] != []"
[ -e /proc/$worker ] && echo "it is still there"
kill -0 $server && echo "the server lives"
