# MariaDB under queries: their latencies, and the slow ones with their text;
# the counts are those of the server.
# @timeout: 300
. "$suite/lib.sh"
server=$(command -v mariadbd || echo /usr/sbin/mariadbd)
[ -x "$server" ] || { echo "no MariaDB server here"; exit 77; }
data=$(mktemp -d /tmp/mariadb.XXXXXX)	# where the server may write, and short enough for a socket
export TMPDIR=$data
chmod 755 "$data" .
chown mysql "$data" 2> /dev/null
mariadb-install-db --no-defaults --user=mysql --datadir="$data/db" --skip-test-db \
	--auth-root-authentication-method=normal > install 2>&1 || { cat install; exit 1; }
"$server" --no-defaults --user=mysql --datadir="$data/db" --socket="$data/s" --skip-networking \
	--pid-file="$data/pid" --innodb-buffer-pool-size=8M > "$data/log" 2>&1 &
server_pid=$!
sql() {
	mariadb --no-defaults -u root -S "$data/s" -N -B "$@"
}
for _ in $(seq 600); do
	sql -e 'select 1' > /dev/null 2>&1 && break
	sleep 0.1
done
cat > slow.d <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D option strsize=80
dtrace:::BEGIN
{
	min_ns = $1 * 1000000;
	printf("Tracing... Min query time: %d ns.\n", min_ns);
	printf(" %8s %8s %s\n", "TIME(ms)", "CPU(ms)", "QUERY");
}
pid$target::*dispatch_command*:entry
/arg0 == 3/
{
	self->query = copyinstr(arg2, arg3);
	self->start = timestamp;
	self->vstart = vtimestamp;
	@queries = count();
}
pid$target::*dispatch_command*:entry { self->began = timestamp; }
pid$target::*dispatch_command*:return /self->began/
{ @["ns"] = quantize(timestamp - self->began); @calls = count(); self->began = 0; }
pid$target::*dispatch_command*:return
/self->start && (timestamp - self->start) > min_ns/
{
	this->time = (timestamp - self->start) / 1000000;
	this->cpu = (vtimestamp - self->vstart) / 1000000;
	printf(" %8d %8d %s\n", this->time, this->cpu, self->query);
}
pid$target::*dispatch_command*:return { self->query = 0; self->start = 0; self->vstart = 0; }
tick-10ms /!armed/ { armed = 1; printf("armed\n"); }
END { printa("queries %@d\n", @queries); printa("calls %@d\n", @calls); printa(@); }
D
"$dtrace" -s slow.d -p $server_pid 100 > out 2> err &
tracer=$!
await out armed
{
	sql -e "show global status like 'Questions'"
	for i in $(seq 200); do echo "select $i + 1;"; done | sql > /dev/null
	sql -e 'select sleep(0.3)' > /dev/null
	sql -e "show global status like 'Questions'"
} > status
kill -INT $tracer
wait $tracer
cat err
sed -n 's/^ *\([0-9]*\)  *\([0-9]*\) \(select sleep.*\)/\1 \2 \3/p' out |
	awk '{ print ($1 >= 300 && $2 < $1) ? "slow, off CPU:" : "wrong times " $0, $3, $4 }'
grep -c '^ .* select [0-9]* + 1' out
# its counter has the client's last word of every connection, too; that of the
# last one may be heard when tracing is over
asked=$(awk '{ n[NR] = $2 } END { print n[2] - n[1] + 2 }' status)
awk -v asked="$asked" '/^queries/ { queries = $2 } /^calls/ { calls = $2 }
     END { print (queries == 203 && (calls == asked || calls == asked - 1)) ? "every query" : queries ", " calls " of " asked }' out
awk '/^calls/ { calls = $2 } $2 ~ /^\|@*/ && NF == 3 { sum += $3 } /^ *[0-9]+ \|/ { total += $NF }
     END { print (total == calls && calls >= 203) ? "every call has its latency" : total " of " calls }' out
kill $server_pid
wait $server_pid
rm -r "$data"
