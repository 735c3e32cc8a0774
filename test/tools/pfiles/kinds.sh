# Descriptors of many kinds: what the process opened is what pfiles says.  The process
# is not stopped; names with control characters cannot write to a terminal.
. "$suite/lib.sh"
pfiles=${dtrace%/*}/pfiles
umask 022
"$triggers/descriptors" > said &
target=$!
await said ready
await_ready $target
"$pfiles" $target > out
echo "status $?"
number() { sed -n "s/^$1 //p" said; }
# what is no part of the load: other descriptors, inherited ones
sed -n "1,2p; /^  20:/,\$p" out |
	sed "s|^$target:|PID:|; s|$triggers/||; s|by process $target\$|by PID|; s|\[$target\]|[PID]|; s|$(pwd -P)|HERE|
		s|@files$target|@filesPID|; s/port: $(number server)\$/port: SERVER/; s/port: $(number client)\$/port: CLIENT/
		s/port: $(number udp)\$/port: UDP/; s/ino:$(stat -c %i data) /ino:DATA /; s/ino:$(stat -c %i .) /ino:HERE /
		s/dev:[0-9]*,[0-9]* //; s/ino:[0-9]* //; s/:\[[0-9]*\]/:[N]/
		s/BUF([1-9][0-9]*)/BUF(N)/g; /HERE\$/s/ size:[0-9]*//; /S_IFDIR/s/ size:[0-9]*//"
grep State: /proc/$target/status | tr '\t' ' '

echo "-n"
"$pfiles" -nF $target | sed -n "/^  20:/,\$p" > out
grep -c S_IFSOCK out
grep -c 'sockname\|SO_' out
grep -c "$(pwd -P)/data" out
kill -USR1 $target
wait $target
