# A device that has no requests: its bios are what is seen, in pairs.
. "$suite/lib.sh"
modprobe -q zram 2>/dev/null
[ -e /sys/block/zram0/disksize ] || skip "no device without requests: no module zram"
echo 16M > /sys/block/zram0/disksize || skip "zram0 is in use"
trap 'echo 1 > /sys/block/zram0/reset' EXIT
cat > run.sh <<'Y'
dd if=/dev/zero of=/dev/zram0 bs=64k count=3 seek=5 oflag=direct status=none
dd if=/dev/zram0 of=/dev/null bs=4k count=2 skip=100 iflag=direct status=none
Y
"$dtrace" -qn '
	io:::start, io:::done /args[1]->dev_statname == "zram0"/
	{
		@[args[0]->b_blkno, probename == "start" ? "start by" : "done", args[0]->b_flags & B_WRITE ? "W" : "R", args[0]->b_bcount,
		    probename == "start" ? execname : "", args[1]->dev_name] = count();
	}
	END { printa("%d %s %s %d %s %s %@d\n", @); }' -c "sh run.sh" | sort -k1,1n -k2,2r
