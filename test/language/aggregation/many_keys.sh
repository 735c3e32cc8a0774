# Half a million keys of 40 bytes and a pid: the total is exact; the ten largest are found at once.
. "$suite/lib.sh"
cpus=$(nproc)
calls=$((500000 / cpus))
[ "$again" = kernel ] && calls=$((50000 / cpus))
trace_calls '#pragma D option aggsize=256m
#pragma D option quietresize
#pragma D option strsize=40
	syscall::openat:entry /pid == $1/ { @[copyinstr(arg1), pid] = sum(1); }
	END { printa("%@d %s\n", @); trunc(@, 10); printa("top %@d %s\n", @); }' open $calls "$cpus" > rows
awk -v calls=$((cpus * calls)) -v each=$calls -v cpus="$cpus" '
	$1 == "top" { split($3, part, "/"); print $1, $2, "/" part[2], part[3] == cpus - 1 ? "last thread" : part[3], each - part[4] }
	$1 != "top" && NF { rows++; sum += $1; names[$2] }
	END { print rows == calls ? "every key" : rows " keys of " calls, sum == calls ? "exact" : sum,
		length(names) == calls ? "all different" : length(names) }' rows
