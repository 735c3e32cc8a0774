# Commands that cannot be run: the reason, status 1, no probe, no process.
for command in nosuchcommand '/etc/passwd x' '/nowhere/at all' '' ' '; do
	"$dtrace" -n 'BEGIN { printf("never\n"); }' -c "$command" 2>&1
	echo "status $?"
done
"$dtrace" -n 'BEGIN { printf("never\n"); }' -c "sleep 60" -c nosuchcommand 2>&1
pgrep -P $$ sleep || echo "nothing left"
