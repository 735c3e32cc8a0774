# The one-liners of the MySQL talk on MariaDB, with its own client: texts and counts are those of
# the server's general log; latencies lie where those of its slow query log must.
# @timeout: 300
# @anykernel: probes of the same functions are in synthetic/mysql.sh
. "$suite/mariadb.sh"
# a query is parsed and executed within what the slow log counts, and that within its command
slow=$data/slow
sql -e "create database wikidb; create table wikidb.page (id int, text varchar(20)) engine=myisam;
	set global log_output = 'FILE'; set global slow_query_log_file = '$slow';
	set global long_query_time = 0; set global log_slow_rate_limit = 1; set global slow_query_log = 1"
# run the one-liner $1 (other servers of this machine are not meant) while a client sends queries
oneliner() {
	rm -f out
	"$dtrace" -n "$(echo "$1" | sed "s/mysql\*/mysql$server/g") tick-10ms /!armed/ { armed = 1; printf(\"armed\\n\"); }" \
		-p $server > out 2> messages &
	tracer=$!
	await out armed
	mark_log
	mariadb --no-defaults -u root -S "$data/s" -N -B wikidb < load > answers
	queries | sed 's/^[0-9]* //' > logged
	kill -INT $tracer
	wait $tracer
	grep -v 'armed\|FUNCTION:NAME\|^$' out > came
}
cat > load <<'Y'
insert into page values (1, "x"), (2, "y"), (3, "z");
select text from page where id > 1;
select text from page where id > 1;
select sleep(0.2);
update page set text = "new" where id = 2;
select count(*) from page a, page b, page c;
delete from page;
Y
count() { sort | uniq -c | awk '{ n = $1; $1 = ""; print substr($0, 2), n }'; }
echo "-- trace query strings"
oneliner 'mysql*:::query-start { trace(copyinstr(arg0)); }'
sed -n 's/^.*query-start *//p' came | sed 's/ *$//' | diff logged - && echo "$(grep -c . logged) texts as in the general log"
echo "-- count query strings"
oneliner 'mysql*:::query-start { @[copyinstr(arg0)] = count(); }'
sed 's/^ *//; s/  *\([0-9]*\)$/ \1/' came | sort > counted
count < logged | sort | diff - counted && cat counted
echo "-- row events"
oneliner 'mysql*:::*-row-* { @[probename] = count(); }'
awk '{ print $1, $2 }' came | sort
echo "-- lock events"
oneliner 'mysql*:::*lock-* { @[probename] = count(); }'
awk '{ print $1, ($2 > 0) ? "some" : $2 }' came | sort
echo "-- query latency"
oneliner 'mysql*:::query-start { self->start = timestamp; }
mysql*:::query-done /self->start/ {
	@["ns"] = quantize(timestamp - self->start);
	self->start = 0;
}'
awk '/^ *[0-9]+ \|/ { n += $NF; if ($1 >= 134217728) slow += $NF } END { print n, "queries,", (slow ? "a slow one" : "none slow") }' came
echo "-- query latency by the pid provider"
oneliner 'pid$target::*dispatch_command*:entry { self->start = timestamp; }
pid$target::*dispatch_command*:return /self->start/ {
	@["ns"] = quantize(timestamp - self->start);
	self->start = 0;
}'
# the end of the connection may be heard when tracing is over
awk '/^ *[0-9]+ \|/ { n += $NF; if ($1 >= 134217728) slow += $NF } END { print (n == 7 || n == 8) ? "every command," : n, (slow ? "a slow one" : "none slow") }' came
echo "-- against the slow log"
before=$(wc -l < "$slow")
oneliner 'mysql*:::query-start { self->start = timestamp; self->text = copyinstr(arg0); }
mysql*:::query-done /self->start/ { self->query = timestamp - self->start; self->start = 0; }
pid$target::*dispatch_command*:entry { self->command = timestamp; }
pid$target::*dispatch_command*:return /self->query/ {
	printf("\ntime %d %d %s\n", self->query / 1000, (timestamp - self->command) / 1000, self->text);
	self->query = 0;
}'
grep '^time' came > times
tail -n +$((before + 1)) "$slow" | awk '/^# Query_time/ { t = $3 * 1000000 } /^[a-z].*;$/ && !/^use |^SET / { sub(/;$/, ""); print t, $0 }' > slowlog
paste -d '|' times slowlog | awk -F '|' '
{
	split($1, mine, " "); split($2, theirs, " ")
	text = substr($1, index($1, mine[4])); other = substr($2, index($2, theirs[2]))
	# they count whole microseconds
	if (text != other || mine[2] > theirs[1] + 1 || mine[3] < theirs[1] - 1) { print "wrong: " $0; next }
	print text (theirs[1] >= 200000 ? ": slow" : "")
}'
