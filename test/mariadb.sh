# SPDX-License-Identifier: Apache-2.0
# For tests with a MariaDB server of their own: . "$suite/mariadb.sh" starts one, until the
# test ends.  $server is its process, sql runs its client as root, $general is the file
# in which the server writes each query that it gets.
. "$suite/lib.sh"
program=$(command -v mariadbd || echo /usr/sbin/mariadbd)
[ -x "$program" ] || skip "no MariaDB server here"
data=$(mktemp -d /tmp/mariadb.XXXXXX)	# where the server may write, and short enough for a socket
export TMPDIR=$data
chmod 755 "$data" .
chown mysql "$data" 2> /dev/null
general=$data/general
mariadb-install-db --no-defaults --user=mysql --datadir="$data/db" --skip-test-db \
	--auth-root-authentication-method=normal > install 2>&1 || { cat install; exit 1; }
"$program" --no-defaults --user=mysql --datadir="$data/db" --socket="$data/s" --skip-networking \
	--pid-file="$data/pid" --innodb-buffer-pool-size=8M --general-log --general-log-file="$general" \
	> "$data/log" 2>&1 &
server=$!
trap 'kill $server; wait $server; rm -r "$data"' EXIT
sql() {
	mariadb --no-defaults -u root -S "$data/s" -N -B "$@"
}
for _ in $(seq $looks); do
	sql -e 'select 1' > /dev/null 2>&1 && break
	kill -0 $server 2> /dev/null || { cat "$data/log"; exit 1; }
	sleep 0.05
done

# What the server has logged since mark_log: connection and text of each query.
mark_log() {
	logged=$(wc -l < "$general")
}
queries() {
	tail -n +$((logged + 1)) "$general" | sed -n 's/^.*[^0-9]\([0-9][0-9]*\) Query\t/\1 /p'
}

# A connection that stays: ask QUERY sends one to it, and waits until it is answered.
open_connection() {
	mkfifo asked
	mariadb --no-defaults -u root -S "$data/s" -N -B --unbuffered --force "$@" < asked > answered 2>&1 &
	exec 8> asked
}
ask() {
	nasked=$((nasked + 1))
	echo "$1; select 'answer $nasked';" >&8
	await answered "^answer $nasked\$"
}
close_connection() {
	exec 8>&-
	rm asked
}
