# Hosts with other kernels: 6.1 and 6.18 in guests, and this one.  One program, one table; this one has no fbt, and says so.
# @timeout: 1200
# @once: it boots guests
. "$suite/lib.sh"
. "$suite/fleet.sh"
[ "${FLEET_LONG:-}" ] || skip "it is part of make fleet"
fleet_network
nats_start
guests=$(dirname "$dtrace")/guests
cat > guest.sh <<END
echo
uname -r | cut -d . -f 1,2
ln -s /bin/dash /tmp/changer
"$dtlive" agent --nats $url --host \$1 --label where=guest > /tmp/agent.log 2>&1 &
agent=\$!
i=0
# its worker has programs in the kernel
until ls -l /proc/[0-9]*/fd 2> /dev/null | grep -q bpf-prog || [ \$((i += 1)) -gt 600 ]; do sleep 0.5; done
sleep 8
/tmp/changer -c 'i=0; while [ \$((i += 1)) -le '\$2' ]; do cd /; done'
sleep 10
sed 's/ [0-9a-f]* for anyone.*//' /tmp/agent.log
kill \$agent
wait
END
# guest NAME KERNEL TIMES
guest() {
	"$suite/guest.py" run --network --timeout 400 "$guests/$2" "sh $PWD/guest.sh $1 $3" > $1.log 2>&1 &
	eval "guest_$1=$!"
	processes="$processes $!"
}
[ -e "$guests/6.1/ready" ] && [ -e "$guests/6.18/ready" ] || skip "no kernels: test/guest.py fetch 6.1 $guests/6.1"
guest k61 6.1 5
guest k618 6.18 7
agent here --label where=host
ln -s /bin/dash changer
run_start --take-over kernels -x aggby=host -n 'BEGIN { printf("ready\n"); } syscall::chdir:entry /execname == "changer"/ { @ = count(); }'
for name in here k61 k618; do
	for _ in $(seq 4000); do
		grep -q "$name: ready" out && break
		sleep 0.1
	done
done
PATH="$PWD:$PATH" ./changer -c 'i=0; while [ $((i += 1)) -le 3 ]; do cd /; done'
# one of them lacks a provider: the others are merged
"$dtlive" run --nats $url -x aggby=where -n 'BEGIN { @ = count(); } fbt::vfs_read:entry { n++; } tick-5s { exit(0); }' > lacks 2> reasons
echo "status $?"
wait $guest_k61 $guest_k618
run_end > table
grep ': ready' table | sort
# the clock of an emulated machine may be wrong
cat table lacks reasons | grep -v 'its clock\|: ready'
grep -h '^6\.' k61.log k618.log | sort -u
