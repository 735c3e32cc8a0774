# Metrics of nginx: each reports, and requests are counted by address and status.
# @timeout: 300
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/net.sh"
. "$suite/metrics.sh"
own_network 88
. "$suite/nginx.sh"
export port
metric metrics --check | grep '^nginx\.'
# shellcheck disable=SC2046
observe "python3 client.py $port 'GET /index.html $end' > answer" $(metric metrics | awk '/^nginx\./ { print $1 }')
metric program nginx.requests --by uri,status --where '{"ge": ["status", 400]}' --pid $worker > requests.d
"$dtrace" -qs requests.d -n 'tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
for _ in 1 2 3; do ask "GET /none $end"; ask "GET /index.html $end"; done
kill -INT $tracer
wait $tracer
grep -v armed out | grep . | sed 's/  */ /g'
