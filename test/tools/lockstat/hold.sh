# How long locks are held: one with a name, by its name; readers are counted.
# @timeout: 900
. "$suite/lib.sh"
need_probe lockstat:::adaptive-acquire
lockstat=$(dirname "$dtrace")/lockstat
# locks that the kernel takes inside a probe's own program are not recorded, which is said
"$lockstat" -Hcpw ip link set lo up > out 2> err
grep -v 'events were not recorded' err >&2
awk '$1 == 32 && $3 ~ /^rtnl_mutex\[[0-9]+\]$/ { named += $2; if ($5 != 1) wrong++ }
	$1 == 34 { writers += $2; if ($5 != 1) wrong++ }
	$1 == 35 { readers += $2; if ($5 < 1) wrong++ }
	END { print (named > 0), (writers > 0), (readers > 0), wrong + 0 }' out
# a lock's name is known: it is only the event that is not
"$lockstat" -l rtnl_mutex -e3 true || echo "refused"
