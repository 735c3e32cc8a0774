# Wrong passwords, subjects of others, a host that speaks for another: the server refuses them, and it is said.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
user() {
	echo "{ user: $1, password: $1-secret, permissions: { publish: [ $2, \"_INBOX.>\", \"\$JS.API.>\" ], subscribe: \">\" } }"
}
agent_of() {
	user $1 "\"dt.1.agg.*.$1\", \"dt.1.hb.*.$1\", \"\$KV.DT_HOSTS.$1\""
}
cat > nats.conf <<END
authorization { users: [
	$(user alice '"dt.1.ctl.alice.>", "$KV.>"')
	$(user bob '"dt.1.ctl.bob.>", "$KV.>"')
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
DTLIVE_PASSWORD=alice-secret "$dtlive" run --nats $url --user alice -n 'BEGIN { printf("hello\n"); exit(0); }'
echo "status $?"
DTLIVE_PASSWORD=bob-secret "$dtlive" run --nats $url --user bob -n 'BEGIN { printf("hello\n"); exit(0); }'
echo "status $?"
echo "== bob calls himself alice: the server refuses his requests"
DTLIVE_PASSWORD=bob-secret timeout -s INT 8 "$dtlive" run --nats $url --user bob --as alice -n 'BEGIN { printf("hello\n"); exit(0); }' 2>&1 |
	sed 's/"[^"]*"/SUBJECT/' | sort -u
echo "== what was enabled and refused is on record"
sed 's/ [0-9a-f]\{16\} / ID /' one.log
echo "== host two calls itself one"
host liar
(in_host liar timeout 4 "$dtlive" agent --nats $url --host one --user two --password two-secret) > liar.log 2>&1
grep -o 'Permissions Violation for Publish to "[^"]*"' liar.log | sort -u
