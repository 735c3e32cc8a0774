# redis: commands of clients as they were sent, calls as the server counts them, also those of
# scripts and transactions; errors, keys, clients with their addresses, forks.
# @timeout: 300
. "$suite/net.sh"
own_network 86
command -v redis-server > /dev/null || skip "no Redis server here"
redis-server --bind 127.0.0.1 --port $port --unixsocket "$PWD/s" --save '' --dir "$PWD" > log 2>&1 &
server=$!
trap 'kill $server; wait $server' EXIT
redis() { redis-cli -s s "$@"; }
await log 'accept connections at'
trace() {
	start_dtrace -n "$1"
	redis config resetstat > /dev/null
}

# what was sent, by clients that know each other's number
trace '
redis'$server':::command-start /copyinstr(arg1) != "config"/ {
	printf("start %s %s %d\n", copyinstr(arg1), args[3] > 1 ? stringof(args[2]) : "alone", args[3]);
	self->id = arg0;
}
redis'$server':::command-done /self->id/ { printf("done%s\n", args[0] == self->id ? "" : " of another"); self->id = 0; }
redis'$server':::error { printf("error %s\n", copyinstr(arg1, arg2)); }
redis'$server':::key-event { printf("%s %s in %d\n", copyinstr(arg0), copyinstr(arg1), args[2]); }'
redis set greeting hello
redis -n 3 get greeting
redis PING
redis lpush greeting x 2> /dev/null
redis frobnicate a b 2> /dev/null
redis set gone 1 px 1
until [ "$(redis exists gone)" = 0 ]; do :; done
stop_dtrace > came
# the last command is repeated until the key has expired, and may be what notices it
awk '/^start exists/ { asks = 1 } /^expired gone/ { n++; next } !asks { print } /^done/ { asks = 0 }
     END { print "expired", n }' came

echo "calls as the server counts them"
trace 'redis'$server':::call-start { @[stringof(args[1])] = count(); }
redis'$server':::call-done { @done = count(); } END { printa("%s %@d\n", @); printa("done %@d\n", @done); }'
redis eval 'for i = 1, 5 do redis.call("incr", KEYS[1]) end return 1' 1 number > /dev/null
printf 'multi\nset a 1\nset b 2\nmget a b\nexec\n' | redis > /dev/null
stats=$(redis info commandstats)
stop_dtrace > out.calls
sort out.calls > came
# what began it and what asks is left out, and what redis-cli asks for itself
echo "$stats" | sed -n 's/^cmdstat_\([^:]*\):calls=\([0-9]*\),.*/\1 \2/p' | sort > counted
other='^done\|^info\|^config\|^command'
grep -v "$other" came > calls
grep -v "$other" counted | diff - calls && cat calls
awk '/^done/ { done = $2; next } { n += $2 } END { print (done == n) ? "each ended" : done " of " n }' came

echo "clients"
trace 'redis'$server':::client-connect { printf("from \"%s\" %s\n", copyinstr(arg1), args[2] == '$own' ? "port" : args[2] ? "another" : "no port"); known[arg0] = 1; }
redis'$server':::client-disconnect /known[arg0]/ { printf("gone\n"); known[arg0] = 0; }
redis'$server':::fork-start { printf("fork for %d\n", args[0]); } redis'$server':::fork-done { printf("child %s\n", args[0] > 0 ? "there" : "failed"); }'
redis ping > /dev/null
python3 - "$port" "$own" <<'Y'
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), source_address=("127.0.0.1", int(sys.argv[2]))) as s:
    s.sendall(b"BGSAVE\r\n")
    s.recv(100)
Y
until redis info clients | grep -q '^connected_clients:1.$'; do :; done
stop_dtrace > came
# those that waited come after
awk '/^from ""/ { n++; next } /^gone/ { gone++; next } { print } END { print (n > 2) ? "and local ones" : n; print (gone >= n) ? "gone" : gone }' came
