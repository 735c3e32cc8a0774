# Metrics of MariaDB: each reports, and queries are counted as often as they were made.
# @timeout: 300
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/mariadb.sh"
. "$suite/metrics.sh"
need_speed "a database server"
sql -e 'create database shop; create table shop.sold (thing varchar(20), price int)'
cat > work.sh <<Y
mariadb --no-defaults -u root -S "$data/s" -N -B shop -e "
	insert into sold values ('pen', 2), ('book', 20), ('lamp', 40); select * from sold order by price;
	update sold set price = price + 1; delete from sold where thing = 'pen'" > answer
Y
# servers of other tests may just begin or end
metric metrics --check | grep '^mysql\.' | grep -v ' is missing: '
# shellcheck disable=SC2046
observe 'sh work.sh' $(metric metrics | awk '/^mysql\./ { print $1 }')
metric program mysql.queries --by database,query,user --where '{"and": [{"eq": ["query", "select 1 + 1"]}, {"eq": ["database", "shop"]}]}' \
	--pid $server > queries.d
"$dtrace" -qs queries.d -n 'tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
for _ in 1 2 3; do sql shop -e 'select 1 + 1; select 1 + 2' > answer; done
sql mysql -e 'select 1 + 1' > answer
kill -INT $tracer
wait $tracer
grep -v armed out | grep . | sed 's/  */ /g'
