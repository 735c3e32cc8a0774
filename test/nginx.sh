# SPDX-License-Identifier: Apache-2.0
# For tests with an nginx of their own, after own_network: . "$suite/nginx.sh" starts one on $port,
# until the test ends.  $worker is the process that answers, $site its directory, $site/access its
# log.  ask sends the pieces of requests on one connection, $keep and $end are how one ends.
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
