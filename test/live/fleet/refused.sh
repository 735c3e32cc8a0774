# Wrong passwords, subjects of others, a host that speaks for another: the server refuses them, and it is said.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
# permissions as doc/fleet.md has them
user() {
	echo "{ user: $1, password: $1-secret, permissions: { publish: [ \"dt.1.ctl.$1.>\", \"\$KV.DT_RUNS.>\", \"\$JS.API.>\" ], subscribe: [ \"dt.1.agg.>\", \"dt.1.hb.>\", \"_INBOX.$1.>\" ] } }"
}
agent_of() {
	echo "{ user: $1, password: $1-secret, permissions: { publish: [ \"dt.1.agg.*.$1\", \"dt.1.hb.*.$1\", \"\$KV.DT_HOSTS.$1\", \"\$JS.API.STREAM.INFO.>\" ], subscribe: [ \"dt.1.ctl.>\", \"_INBOX.$1.>\" ] } }"
}
cat > nats.conf <<END
authorization { users: [
	$(user alice)
	$(user bob)
	$(agent_of one)
	$(agent_of two)
] }
END
nats_start -c nats.conf
echo "== an agent with a wrong password"
"$dtlive" agent --nats $url --host one --user one --password wrong
echo "status $?"
echo "== without any"
"$dtlive" run --nats $url -n 'BEGIN { exit(0); }'
echo "status $?"
echo "== a policy: bob may nothing, alice anything"
printf 'allow alice any\ndeny bob\n' > policy
DTLIVE_PASSWORD=one-secret agent one --user one --policy policy
grep -o 'this user may not create them' one.log
DTLIVE_PASSWORD=alice-secret "$dtlive" run --nats $url --user alice -n 'BEGIN { printf("hello\n"); exit(0); }'
echo "status $?"
DTLIVE_PASSWORD=bob-secret "$dtlive" run --nats $url --user bob -n 'BEGIN { printf("hello\n"); exit(0); }'
echo "status $?"
echo "== bob calls himself alice: the server refuses his requests"
DTLIVE_PASSWORD=bob-secret timeout -s INT 8 "$dtlive" run --nats $url --user bob --as alice -n 'BEGIN { printf("hello\n"); exit(0); }' 2>&1 |
	sed 's/"[^"]*"/SUBJECT/' | sort -u
echo "== what was enabled and refused is on record"
sed '/NATS:/d; s/ [0-9a-f]\{16\} / ID /' one.log
echo "== host two calls itself one"
host liar
(in_host liar timeout 4 "$dtlive" agent --nats $url --host one --user two --password two-secret) > liar.log 2>&1
grep -o 'Permissions Violation for Publish to "[^"]*"' liar.log | sort -u
echo "== host two answers for one, tells a head what it wants to hear, deletes the stream"
printf '{"event":"answer","host":"one","error":{"message":"nothing works here"}}' > forged
for subject in dt.1.hb.any.one dt.1.agg.any.one _INBOX.alice.any '$JS.API.STREAM.DELETE.DT' dt.1.ctl.alice.all; do
	NATS_USER=two NATS_PASSWORD=two-secret "$suite/nats.py" 10.78.0.1:4222 publish "$subject" forged
	echo
done
echo "== an option of alice's that names a file of the host"
DTLIVE_PASSWORD=alice-secret "$dtlive" run --nats $url --user alice -x record=$PWD/recorded -n 'BEGIN { exit(0); }' 2>&1
printf '{"do":"enable","id":"written","program":"BEGIN { exit(0); }","options":{"record":"'$PWD/recorded'"},"hosts":"*"}' > request
NATS_USER=alice NATS_PASSWORD=alice-secret "$suite/nats.py" 10.78.0.1:4222 publish dt.1.ctl.alice.one request
await one.log 'refused written'
grep 'written' one.log
[ ! -e recorded ] && echo "nothing was written"
