# mysqld_qsnoop.d: each query of a server with database, user, status and text, as the server
# logs them; only slow ones.
# @timeout: 300
# @anykernel: probes of the same functions are in synthetic/mysql.sh
. "$suite/mariadb.sh"
. "$suite/toolkit.sh"
sql -e 'create database wikidb; create table wikidb.image (a int)'
cat > load.sh <<Y
mariadb --no-defaults -u root -S "$data/s" -N -B wikidb \
	-e 'show tables; select * from image; select sleep(0.2); select * from bogus'
Y
mark_log
tool mysqld_qsnoop.d --process $server -- sh load.sh > out
queries | sed 's/^[0-9]* //' > logged
head -1 out
sed 1d out | awk '{ print $2, $3, $5, ($1 >= 0 && $4 >= 0 ? "" : "wrong times") }'
sed 1d out | sed 's/^[0-9]* *wikidb  *root@localhost  *[0-9]*  *[01] //' | diff logged - && echo "as the server has them"
echo "slow ones"
tool mysqld_qsnoop.d --process $server --slower 200ms -- sh load.sh | awk 'NR > 1 { print ($4 >= 200), $6, $7 }' | grep sleep
