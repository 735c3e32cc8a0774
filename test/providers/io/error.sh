# A request that fails says so: writing to a disk whose own store is full.
# Requests that wait may grow.
. "$suite/lib.sh"
mkdir small
mount -t tmpfs -o size=1m small small || skip "no tmpfs"
cd small
own_disk 16m
trap 'losetup -d $loop; cd ..; umount small' EXIT
cat > run.sh <<'Y'
dd if=/dev/zero of=$1 bs=64k count=1 oflag=direct status=none
dd if=/dev/zero of=$1 bs=4M count=1 seek=1 oflag=direct status=none 2>/dev/null
:
Y
"$dtrace" -qn '
	io:::start /args[1]->dev_statname == $$1/ { before[args[0]->b_edev, args[0]->b_blkno] = args[0]->b_bcount; }
	io:::done /args[1]->dev_statname == $$1/
	{
		@[args[0]->b_error == 0 ? "good" : args[0]->b_error == ENOSPC || args[0]->b_error == EIO ? "bad" : "?",
		    args[0]->b_flags & B_ERROR, (this->size = before[args[0]->b_edev, args[0]->b_blkno]) > 0 && this->size <= args[0]->b_bcount] = count();
	}
	END { printa("%s flag %d known %d\n", @); }' -c "sh run.sh $loop" "$disk" | sort
