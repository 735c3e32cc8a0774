# pg_qslower.d: queries of PostgreSQL beyond a limit, on and off CPU.
# @timeout: 300
# @anykernel: the server's probes are in usdt/postgresql.sh
. "$suite/toolkit.sh"
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -x "$bin/postgres" ] || skip "PostgreSQL is not installed"
readelf -S "$bin/postgres" | grep -q note.stapsdt || skip "this PostgreSQL was built without probes"
chmod 755 .
data=$(mktemp -d /tmp/postgresql.XXXXXX)	# where nobody may go, and short enough for a socket
chown nobody "$data"
as() { setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }
as "$bin/initdb" -D "$data" -A trust -U bench --no-sync > log 2>&1 || { cat log; exit 1; }
as "$bin/postgres" -D "$data" -k "$data" -c listen_addresses= -c fsync=off > server 2>&1 &
server=$!
trap 'kill -INT "$(head -n 1 "$data/postmaster.pid")"; wait $server; rm -r "$data"' EXIT
for _ in $(seq $looks); do
	as "$bin/pg_isready" -q -h "$data" && break
	sleep 0.05
done
echo "$bin/psql -h $data -U bench -Atc 'select pg_sleep(0.3), $server' -c 'select 2, $server' postgres" > load.sh
tool pg_qslower.d 200 -- sh load.sh > out
head -2 out
# other servers of this machine have other queries
awk -v server=$server '$NF == server { print ($1 >= 300 && $2 < $1), $3, $4 }' out
echo "all"
tool pg_qslower.d -- sh load.sh | grep -c " $server\$"
