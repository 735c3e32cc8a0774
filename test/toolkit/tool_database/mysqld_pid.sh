# mysqld_pid_latency.d, _slow.d, _fslatency.d, _fslatency_slowlog.d: commands and their times, on
# and off CPU; reads of files, of which a query on a table that was flushed has some.
# @timeout: 300
# @anykernel: probes of the same functions are in synthetic/mysql.sh
. "$suite/mariadb.sh"
. "$suite/toolkit.sh"
sql -e 'create database wikidb; create table wikidb.t (a int, b varchar(200)) engine=myisam'
sql wikidb -e 'insert into t select seq, repeat("x", 200) from seq_1_to_1000; flush tables'
client() {
	printf 'mariadb --no-defaults -u root -S "%s/s" -N -B wikidb -e "%s"\n' "$data" "$1" > load.sh
}
echo "latency: one command for each query, and the client's last word"
client 'select 1; select 2; select 3'
tool mysqld_pid_latency.d -p $server -- sh load.sh > out
sed "s/$server/PID/" out | head -1
# the end of the connection may be heard when tracing is over
awk '/^ *[0-9]+ \|/ { n += $NF } END { print (n == 4 || n == 3) ? "every command" : n }' out
echo "slow"
client 'select 1; select sleep(0.3); select 3'
tool mysqld_pid_slow.d -p $server 200 -- sh load.sh > out
head -2 out
awk 'NR > 2 { print ($1 >= 300 && $2 < $1), $3, $4 }' out
echo "file system"
client 'flush tables; select sum(a) from t'
tool mysqld_pid_fslatency.d -p $server -- sh load.sh > out
awk '/^MySQL filesystem I\/O/ { total = $4 + 0; print $1, $2, $3, "latency" } /^ *[0-9]+ \|/ { n += $NF } /^  read *$/ { print "read" }
     END { print (n == total && n > 0) ? "every call" : n " of " total }' out
echo "queries that read files"
tool mysqld_pid_fslatency_slowlog.d --min 1ns $server -- sh load.sh > out
awk '{ print ($1 > 2000), $5, $6, $7, $8, $9, ($13 >= $16 && $18 > 0) ? "time and number" : $0 }' out | tail -1
echo "none that long"
tool mysqld_pid_fslatency_slowlog.d --min 1h $server -- sh load.sh
