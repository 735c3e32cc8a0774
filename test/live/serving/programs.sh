# -n, -s, -p, -c, -x and arguments mean what they mean to dtrace; --record writes what the first program reports.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
cat > script.d <<'P'
BEGIN { printf("%s %d", $$1, $target == 0); }
P
live_start -x strsize=4 -n 'BEGIN { trace("long text"); printf("%s", strjoin("abc", "def")); }' -s script.d --record recorded first
await_value /instrumentations/1/values "value['log']"
$json --get "[line['text'] for line in value['log']]" < value.json
await_value /instrumentations/2/values "value['log']"
$json --get "[line['text'] for line in value['log']]" < value.json
get /instrumentations/2 | $json --get "value['title'], value['program']"
live_stop
"$dtrace" --replay recorded -q 2> /dev/null
echo
rm url
live_start -n 'syscall::write:entry /pid == $target/ { @[execname] = sum(arg2); }' -c 'dd if=/dev/zero of=/dev/null bs=1000 count=20 status=none'
await_state 1 ended
get /instrumentations/1 | $json --get "value['reason']" | sed 's/pid [0-9]*/pid N/'
get /instrumentations/1/values | $json --get "value['keys'][0], sum(row[2] for column in value['columns'] for row in column['rows'])"
live_stop
rm url
live_start -s /nonexistent.d
await_state 1 failed
get /instrumentations/1 | $json --get "value['reason']"
