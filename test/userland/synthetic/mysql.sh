# mysql: MariaDB's queries with their texts, connections, databases and users, as the server
# logs them, also of a connection that is older than the tracing; status; rows and locks.
# @timeout: 300
. "$suite/mariadb.sh"
sql -e "create database wikidb; create user wiki@localhost; grant all on wikidb.* to wiki@localhost"
sql wikidb -e 'create table t (a int, b varchar(20)) engine=myisam'
# trace D until the connection's load has been done, and print what came
trace() {
	rm -f out
	"$dtrace" -qn "$1 tick-10ms /!armed/ { armed = 1; printf(\"armed\\n\"); }" > out 2>&1 &
	tracer=$!
	await out armed
	mark_log
}
end() {
	kill -INT $tracer
	wait $tracer
	grep -v '^armed$\|^$' out
}
open_connection -u wiki wikidb
ask 'select 1'
trace '
mysql'$server':::query-start
{
	printf("query %d %s\n", arg1, copyinstr(arg0));
	printf("who %s@%s in \"%s\"\n", copyinstr(arg3), stringof(args[4]), copyinstr(arg2));
	self->start = timestamp;
}
mysql'$server':::query-done { printf("status %d%s\n", args[0], self->start && self->start < timestamp ? "" : " early"); self->start = 0; }'
ask 'insert into t values (1, "x"), (2, "y"), (3, "z")'
ask 'select * from bogus'
ask 'use mysql'
sql -e 'select "by root"' > /dev/null
end > came
queries > logged
sed -n 's/^query //p' came | diff logged - && echo "$(wc -l < logged) queries as the server has them"
grep '^who' came | sort | uniq -c
grep '^status' came | sort | uniq -c
echo "rows and locks"
trace 'mysql'$server':::*-row-*, mysql'$server':::*lock-* { @[probename] = count(); } END { printa("%s %@d\n", @); }'
ask 'insert into wikidb.t values (4, "x"), (5, "y")'
ask 'update wikidb.t set b = "q" where a = 4'
ask 'delete from wikidb.t where a = 5'
end > came
sort came
echo "connections, commands, packets"
trace '
mysql'$server':::connection-start { printf("+ %s@%s\n", copyinstr(arg1), copyinstr(arg2)); self->id = arg0; }
mysql'$server':::command-start /self->id/ { printf("command %d of %s %d\n", args[1], copyinstr(arg2), args[0] == self->id); }
mysql'$server':::connection-done /self->id/ { printf("- %d %d\n", args[0], args[1] == self->id); }
mysql'$server':::net-write-start /self->id/ { @ = sum(arg0); }
END { printa("%@d bytes\n", @); }'
sql -u wiki wikidb -e 'select "a packet"' > /dev/null
await out '^- '
end > came
sed 's/^[1-9][0-9]* bytes/some bytes/' came
close_connection
