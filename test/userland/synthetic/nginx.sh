# nginx: requests with method, address, status and bytes as the server logs them, also of a line
# that comes in pieces and of several requests in one connection; connections and their clients.
# @timeout: 300
. "$suite/net.sh"
own_network 87
program=$(command -v nginx || echo /usr/sbin/nginx)
[ -x "$program" ] || skip "no nginx here"
site=$(mktemp -d /tmp/nginx.XXXXXX)	# where the server may read
chmod 755 "$site"
echo "all of it" > "$site/index.html"
head -c 300000 /dev/zero > "$site/large"
cat > "$site/conf" <<Y
daemon off; worker_processes 1; pid $site/pid;
events { worker_connections 64; }
http {
	log_format plain '\$request_method \$request_uri \$status \$bytes_sent';
	access_log $site/access plain;
	client_body_temp_path $site/t1; proxy_temp_path $site/t2; fastcgi_temp_path $site/t3;
	uwsgi_temp_path $site/t4; scgi_temp_path $site/t5;
	server {
		listen $port;
		root $site;
		location /moved { return 301 /index.html; }
		location /down { proxy_pass http://127.0.0.1:1; }
	}
}
Y
"$program" -e "$site/error" -p "$site" -c "$site/conf" 2> "$site/messages" &
master=$!
trap 'kill $master; wait $master; rm -r "$site"' EXIT
for _ in $(seq $looks); do
	worker=$(pgrep -P $master) && break
	sleep 0.05
done
# requests of one connection, until the server closes it: each piece of text is sent on its own
cat > client.py <<'Y'
import socket, sys, time
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as s:
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    print("client", s.getsockname()[1])
    for piece in sys.argv[2:]:
        s.sendall(piece.encode().decode("unicode_escape").encode())
        if not piece.endswith("\\r\\n"):
            time.sleep(0.1)     # the server should read it alone
    while s.recv(100000):
        pass
Y
ask() { python3 client.py $port "$@" >> clients; }
end='HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
keep='HTTP/1.1\r\nHost: x\r\n\r\n'
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
