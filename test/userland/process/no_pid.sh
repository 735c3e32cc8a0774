# -p of what is no process.
sleep 0 & gone=$!; wait $gone
"$dtrace" -n BEGIN -p $gone 2>&1 | sed "s/$gone/N/"
echo "status ${PIPESTATUS[0]}"
for pid in 0 -1 99999999 99999999999 12x ''; do
	"$dtrace" -n BEGIN -p "$pid" 2>&1
	echo "status $?"
done
