# One D program on three hosts is one table: what each has counted, added; or by host.  What it prints has the host in front.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
agent web1 --label role=web,site=ulm
agent web2 --label role=web,site=bonn
agent db1 --label role=db,site=ulm
program='
BEGIN { printf("ready\n"); }
syscall::chdir:entry /pid == '$$'/ { @ = count(); @calls[execname] = sum(2); @sizes = quantize(i++); @late = max(i); }'
count() {
	run_start "$@" -n "$program"
	for name in $names; do
		await out "$name: ready"
	done
	change_directories 8
	run_end
}
echo "== all"
names='web1 web2 db1'
count
echo "== role=web"
names='web1 web2'
count --hosts role=web
echo "== by site"
names='web1 web2 db1'
count -x aggby=site --hosts 'host=*'
echo "== by host, where it is not bonn"
names='web1 db1'
count --option aggby=host --hosts 'site!=bonn'
echo "== nobody"
"$dtlive" run --nats $url --hosts role=mail -n 'BEGIN { exit(0); }' 2>&1
echo "status $?"
