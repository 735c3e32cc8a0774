# Without traceable functions the cache of names is not seen: what is missing
# is said, and what is there is listed.
. "$suite/lib.sh"
if [ -e /sys/bus/event_source/devices/kprobe/type ]; then
	"$dtrace" --check | awk '$1 == "vfs" { print; exit $2 != "works" }'
	exit 77
fi
"$dtrace" -qn 'vfs::lookup:hit' 2>&1 | grep =
"$dtrace" --check | grep -A2 '^vfs '
