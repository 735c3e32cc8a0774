# SPDX-License-Identifier: Apache-2.0
# For tests of dtlive: . "$suite/live.sh", after lib.sh.

dtlive=$(dirname "$dtrace")/dtlive
json="python3 $suite/json_shape.py"

# Start dtlive with these options, until the test ends.  $base, $token; $monitor is its
# number, $server that of the process that speaks HTTP.
live_start() {
	"$dtlive" "$@" > url 2> said &
	monitor=$!
	trap live_stop EXIT
	await url token=
	url=$(cat url)
	token=${url#*token=}
	base=${url%/?token*}
	await_answer
}
live_stop() {
	kill $monitor 2> /dev/null
	wait $monitor 2> /dev/null
}
live_server() {
	server=$(pgrep -P $monitor -u nobody)
}
# Wait until it answers, and is the one that it will be.
await_answer() {
	for _ in $(seq $looks); do
		get /status > /dev/null 2>&1 && live_server && return 0
		sleep 0.05
	done
	echo "dtlive does not answer:"
	cat said
	exit 1
}

ask() {
	curl -sS -m 60 -H "Authorization: Bearer $token" "$@"
}
get() {
	ask "$base/api/1$1"
}
# send METHOD PATH BODY
send() {
	ask -X $1 -H 'Content-Type: application/json' -d "$3" "$base/api/1$2"
}
post() {
	send POST "$1" "$2"
}
# The status of an answer, too.
status() {
	ask -o answer -w '%{http_code} ' "$@"
	cat answer
	echo
}

# Wait until member $2 of GET $1 is $3 (a Python expression of it: value).
await_value() {
	for _ in $(seq $looks); do
		get "$1" > value.json
		$json --test "$2" < value.json 2> /dev/null && return 0
		sleep 0.1
	done
	echo "waited in vain for $2 of $1:"
	cat value.json
	exit 1
}
await_state() {
	await_value /instrumentations/$1 "value['state'] == '$2'"
}
