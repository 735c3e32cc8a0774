# PostgreSQL's probes while pgbench runs: as many queries as pgbench made, with
# their text.
. "$suite/lib.sh"
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -x "$bin/pgbench" ] || skip "PostgreSQL is not installed"
need_speed "a database server"
readelf -S "$bin/postgres" | grep -q note.stapsdt || skip "this PostgreSQL was built without probes"
chmod 755 .
data=$(mktemp -d /tmp/postgresql.XXXXXX)	# where nobody may go, and short enough for a socket
chown nobody "$data"
as() { setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }
as "$bin/initdb" -D "$data" -A trust -U bench --no-sync > log 2>&1 || { cat log; exit 1; }
as "$bin/postgres" -D "$data" -k "$data" -c listen_addresses= -c fsync=off > server 2>&1 &
for _ in $(seq 2400); do
	as "$bin/pg_isready" -q -h "$data" && break
	sleep 0.05
done
export PGHOST="$data" PGUSER=bench PGDATABASE=postgres
"$bin/pgbench" -i -q -s 1 > log 2>&1 || cat log server
"$dtrace" -qn '
postgresql*:::query-start
/copyinstr(arg0, 6) != "select"/	/* two that pgbench makes for itself */
{ @text[copyinstr(arg0, 18)] = count(); @n["queries"] = count(); }
postgresql*:::query-done { @n["done"] = count(); }
tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
# a transaction of pgbench is BEGIN, five statements, END
"$bin/pgbench" -n -c 4 -j 2 -t 50 > log 2>&1
grep processed log
kill -INT $tracer
wait $tracer
grep -v armed out | grep . | sed 's/  */ /g'
kill -INT "$(head -n 1 "$data/postmaster.pid")"
wait
rm -r "$data"
