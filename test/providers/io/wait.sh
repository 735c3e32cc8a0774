# A thread that waits for a request: both ends, in this thread, of the same request.
. "$suite/lib.sh"
need_probe io:::wait-done
own_disk 16m
"$dtrace" -qn '
	io:::wait-start /pid == $target && args[1]->dev_statname == $$1/
	{
		self->since = timestamp;
		self->what = arg0;
		@[probename, args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_blkno, args[0]->b_bcount] = count();
	}
	io:::wait-done /self->since/
	{
		@[probename, timestamp > self->since ? "later" : "", self->what == arg0, args[1]->dev_statname == $$1] = count();
		self->since = 0;
	}
	END { printa("%s %s %d %d %@d\n", @); }' -c "dd if=$loop of=/dev/null bs=4k count=2 skip=3 iflag=direct status=none" "$disk"
