# A recording is shown without privileges, at once or in its own time; one that is damaged says so.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
"$dtrace" -q -x record=recording -x interval=1s -n 'BEGIN { printf("hello"); @["x"] = quantize(5); } tick-1s /i++ > 2/ { exit(0); } tick-10ms { @["tick"] = quantize(1); }' > /dev/null
chmod 644 recording
chmod 711 .
setpriv --reuid=65534 --regid=65534 --clear-groups "$dtlive" --replay "$PWD/recording" > url 2> said &
monitor=$!
trap live_stop EXIT
await url token=
url=$(cat url) token=${url#*token=} base=${url%/?token*}
await_value /instrumentations "value['instrumentations'][0]['state'] == 'ended'"
$json --get "[(one['reason'], one['view'], len(one['sets'])) for one in value['instrumentations']]" < value.json
get /instrumentations/1/values | $json --get "[line['text'] for line in value['log']], sorted(value['keys'][0]), len(value['columns']) >= 3"
grep '^\(NoNewPrivs\|Seccomp\|CapEff\):' /proc/$(pgrep -P $monitor)/status
get /status | $json --get "value['replay']"
cat said
live_stop
rm url
live_start --replay recording --speed 0.5
await_value /instrumentations "value['instrumentations'][0]['sets']"
get /instrumentations/1 | $json --get "value['state']"
# it is deleted while it goes on
before=$server
send DELETE /instrumentations/1 ''
echo
await_value /status "value['memory']['used'] == 0"
sleep 2
live_server
[ "$server" = "$before" ] && echo "the same server"
live_stop
rm url
head -c 19 recording > cut
printf '\377\377\377\377\377\377\377' >> cut
live_start --replay cut
await_state 1 failed
get /instrumentations/1 | $json --get "value['reason']"
live_stop
rm url
echo nonsense > cut
live_start --replay cut
await_state 1 failed
get /instrumentations/1 | $json --get "value['reason']"
