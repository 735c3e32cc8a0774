# mysqld_qslower.d: queries beyond a limit, on and off CPU; mysqld_qchit.d: what the query cache
# answers, as the server counts it.
# @timeout: 300
# @anykernel: probes of the same functions are in synthetic/mysql.sh
. "$suite/mariadb.sh"
. "$suite/toolkit.sh"
sql -e 'create database wikidb; create table wikidb.t (a int) engine=myisam'
sql -e 'set global query_cache_type = 1; set global query_cache_size = 1000000'
client() {
	printf 'mariadb --no-defaults -u root -S "%s/s" -N -B wikidb -e "%s"\n' "$data" "$1" > load.sh
}
client 'select 1; select sleep(0.3); select 3'
tool mysqld_qslower.d --process $server 200 -- sh load.sh > out
head -2 out
awk 'NR > 2 { print ($1 >= 300 && $2 < $1), $3, $4 }' out
cached() { sql -e "show global status like 'Qcache_hits'" | cut -f2; }
before=$(cached)
client 'select a from t; select a from t; select a from t; select count(*) from t'
tool mysqld_qchit.d --process $server -- sh load.sh
echo "the server counts $(($(cached) - before)) hits"
