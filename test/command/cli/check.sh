# --check: a row for each provider, with the reason below what does not work.
"$dtrace" --check > out
echo "status $?"
head -1 out
awk 'NR > 1 && !/^ / { $1 = $1; print }' out | grep -E '^(dtrace|profile|syscall) '
awk 'NR > 1 && !/^ / && !/ (works|works in part|not here)$/ { print "what is this:", $0 }' out
# what does not work says why
awk '/^[a-z].* (works in part|not here)$/ { name = $1; next }
	/^[a-z]/ && name { print name, "gives no reason" } { name = "" }' out
# fbt is what the machine says
if [ -e /sys/bus/event_source/devices/kprobe/type ]; then wanted=works; else wanted=not; fi
awk -v wanted=$wanted '$1 == "fbt" { print $2 == wanted ? "fbt as it is" : $0 }' out
