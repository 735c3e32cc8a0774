# Metrics of Redis: each reports, and commands are counted by their key.
# @timeout: 300
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/net.sh"
. "$suite/metrics.sh"
own_network 87
command -v redis-server > /dev/null || skip "no Redis server here"
redis-server --bind 127.0.0.1 --port $port --unixsocket "$PWD/s" --save '' --dir "$PWD" > log 2>&1 &
server=$!
trap 'kill $server; wait $server' EXIT
await log 'accept connections at'
cat > work.sh <<'Y'
redis-cli -s s set greeting hello > answer
redis-cli -s s get greeting > answer
redis-cli -s s frobnicate > answer 2>&1
Y
metric metrics --check | grep '^redis\.'
# shellcheck disable=SC2046
observe 'sh work.sh' $(metric metrics | awk '/^redis\./ { print $1 }')
metric program redis.commands --by command,key --where '{"eq": ["key", "a \"key\""]}' --pid $server > commands.d
"$dtrace" -qs commands.d -n 'tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
for _ in 1 2 3 4; do redis-cli -s s set 'a "key"' x > answer; redis-cli -s s set 'another' x > answer; done
kill -INT $tracer
wait $tracer
grep -v armed out | grep . | sed 's/  */ /g'
