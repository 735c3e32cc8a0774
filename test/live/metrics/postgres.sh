# Metrics of PostgreSQL while pgbench runs; the number of queries is pgbench's.
# @timeout: 300
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/metrics.sh"
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
trap 'kill -INT "$(head -n 1 "$data/postmaster.pid")"; wait; rm -r "$data"' EXIT
for _ in $(seq 2400); do
	as "$bin/pg_isready" -q -h "$data" && break
	sleep 0.05
done
export PGHOST="$data" PGUSER=bench PGDATABASE=postgres bin
"$bin/pgbench" -i -q -s 1 > log 2>&1 || cat log server
cat > bench.sh <<'Y'
"$bin/pgbench" -n -c 4 -j 2 -t 50 > log 2>&1
"$bin/psql" -qc 'checkpoint' -c 'select abalance from pgbench_accounts order by abalance desc limit 1' > /dev/null
# one waits for the other
"$bin/psql" -qc 'begin; lock table pgbench_branches; select pg_sleep(0.5); commit' > /dev/null &
sleep 0.2
"$bin/psql" -qc 'select count(*) from pgbench_branches' > /dev/null
wait
Y
echo "postgres.light_locks backends need not meet" > silent
metric metrics --check | grep '^postgres\.'
# shellcheck disable=SC2046
observe --may-be-silent silent 'sh bench.sh' $(metric metrics | awk '/^postgres\./ { print $1 }')
# a transaction of pgbench is BEGIN, five statements, END: 50 of each of 4 clients
metric program postgres.queries --by query --where '{"or": [{"eq": ["query", "BEGIN;"]}, {"eq": ["query", "END;"]}]}' > queries.d
"$dtrace" -qs queries.d -n 'tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
"$bin/pgbench" -n -c 4 -j 2 -t 50 > log 2>&1
kill -INT $tracer
wait $tracer
grep -v armed out | grep . | sed 's/  */ /g'
