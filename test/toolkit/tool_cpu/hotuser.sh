# hotuser: the function and the library in which a program spends its time.
. "$suite/toolkit.sh"
look() {
	"$dtrace" -s "$suite/../toolkit/hotuser" "$@" -c "$triggers/burn user 300" > all
	awk '/COUNT/; /%$/ { count += $2; name = $1; last = $2; percent = $3 + 0 }
		END { print name, (count >= 10 ? "enough" : "only " count), (percent >= 80 ? "nearly all" : percent),
		    (percent == int(100 * last / count) ? "" : percent " of " last " in " count) }' all
}
echo "functions"
look
echo "libraries"
look -l
echo "without a process"
"$dtrace" -s "$suite/../toolkit/hotuser"
echo "status $?"
