# hotkernel: where the kernel spends the time of a program that only calls it, with shares.
. "$suite/toolkit.sh"
cp "$triggers/burn" hotk	# a name that no other test has
look() {
	tool hotkernel "$@" -- ./hotk kernel 300 > all
	awk '/COUNT/; /%$/ { count += $2; part += $3; name = $1; last = $2; percent = $3 + 0 }
		END { if (!count) exit
		    print (count >= 10 ? "enough" : "only " count), (part <= 100 ? "at most all" : part),
		    (percent == int(100 * last / count) ? "" : percent " of " last " in " count)
		    print "hottest:", name ~ /chacha/ ? "chacha" : name }' all
}
echo "functions"
look -n hotk
echo "modules"
look -m -n hotk
grep -c '`' all
echo "another program's"
look -n nosuch
