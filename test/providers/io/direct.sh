# Past the cache: device, block, size, direction and process of each request
# are those of the call, at start and at done.
. "$suite/lib.sh"
own_disk 16m
cat > run.sh <<'Y'
dd if=/dev/zero of=$1 bs=64k count=3 seek=5 oflag=direct status=none
dd if=$1 of=/dev/null bs=4k count=4 skip=100 iflag=direct status=none
Y
"$dtrace" -qn '
	io:::start /args[1]->dev_statname == $$1/
	{
		who[arg0] = pid;
		printf("%d %s %s %d %s %s %s\n", args[0]->b_blkno, probename, args[0]->b_flags & B_WRITE ? "W" : "R",
		    args[0]->b_bcount, execname, args[1]->dev_name, args[2]->fi_name);
	}
	io:::done /args[1]->dev_statname == $$1/
	{
		printf("%d %s %s %d known: %d error: %d\n", args[0]->b_blkno, probename,
		    args[0]->b_flags & B_WRITE ? "W" : "R", args[0]->b_bcount, who[arg0] != 0, args[0]->b_error);
	}' -c "sh run.sh $loop" "$disk" | sort -k1,1n -k2,2r
