# nginx: requests with method, address, status and bytes as the server logs them, also of a line
# that comes in pieces and of several requests in one connection; connections and their clients.
# @timeout: 300
. "$suite/net.sh"
own_network 87
. "$suite/nginx.sh"
start_dtrace -n '
nginx'$worker':::connection-start { printf("client %d\n", args[0]->nc_port); fd = args[0]->nc_fd; ok = args[0]->nc_remote == "127.0.0.1"; t = timestamp; }
nginx'$worker':::connection-done { printf("%s\n", args[0]->nc_fd == fd && ok ? "closed" : "another"); }
nginx'$worker':::request-start { printf("start %s of %d in %s\n", args[0]->nr_line, args[1]->nc_port, args[1]->nc_fd == fd ? "it" : "another"); }
nginx'$worker':::request-done {
	printf("done %s %s %d %d\n", args[0]->nr_method, args[0]->nr_uri, args[2], args[3]);
	printf("%s\n", args[4] > 0 && args[4] <= timestamp - t ? "in time" : "at no time");
}'
ask "GET / $end"
ask "GET /index.html?a=b&c $keep" "HEAD /large $keep" "GET /none $end"
ask "GET /large $end"
ask "POST /moved $end"
ask "DELETE /down $end"
ask "GET /in/pie" "ces?of=it HT" "TP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
ask "GET /index.html HTTP/1.1\r\nHost: x\r\nCookie: $(printf %3000s | tr ' ' c)\r\nConnection: close\r\n\r\n"
for _ in $(seq $looks); do
	[ "$(grep -c closed out)" = 7 ] && break
	sleep 0.05
done
stop_dtrace > came
sed 's/of [0-9]* in/in/; s/client [0-9]*/client/; s/^\(done .*\) [0-9]*$/\1 BYTES/' came
grep '^client' came | diff clients - && echo "clients are who they say"
sed -n 's/^done //p' came | diff "$site/access" - && echo "$(grep -c . "$site/access") requests as the server has them"
