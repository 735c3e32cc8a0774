# The status of exit() is that of dtlive run; programs that are wrong, faults and drops are told by host.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
agent one
agent two
try() {
	"$dtlive" run --nats $url "$@" > out 2> err
	echo "status $?"
	sort out err
}
try -n 'BEGIN { @ = count(); exit(5); }'
try -n 'BEGIN { @ = count(; }'
try -n 'nosuch:::probe { @ = count(); }'
try --hosts host=one -n 'BEGIN { x = *(int *)0; } BEGIN { exit(0); }' 2>&1
try -x strsize=much -n 'BEGIN { exit(0); }'
try -n 'BEGIN { system("true"); exit(0); }'
cat > script.d <<'END'
#!/usr/sbin/dtrace -s
BEGIN { @[stringof("from a file")] = count(); exit(0); }
END
try -s script.d
try
