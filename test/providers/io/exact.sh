# Bytes of all requests are what the kernel counts for the disk; each start has
# its done; those of a file are its size, written and read.
. "$suite/lib.sh"
own_ext4 32m
umount there
cat > run.sh <<'Y'
mount $1 there
mkdir there/directory
dd if=/dev/zero of=there/directory/file bs=64k count=80 conv=fsync status=none
umount there
mount $1 there
cat there/directory/file > /dev/null
umount there
Y
counted() { awk '{ print 512 * $3, 512 * $7 }' "/sys/block/$disk/stat"; }
set -- $(counted)
"$dtrace" -qn '
	io:::start, io:::done /args[1]->dev_statname == $$1/
	{
		@bytes[probename, args[0]->b_flags & B_WRITE ? "written" : "read"] = sum(args[0]->b_bcount);
	}
	io:::start /args[1]->dev_statname == $$1/ { @paired = sum(1); }
	io:::done /args[1]->dev_statname == $$1/ { @paired = sum(-1); }
	io:::start /args[1]->dev_statname == $$1 && args[2]->fi_name == "file"/
	{
		@file[args[0]->b_flags & B_READ ? execname : "", args[0]->b_flags & B_WRITE ? "written" : "read",
		    args[2]->fi_fs, basename(args[2]->fi_dirname), basename(args[2]->fi_mount),
		    args[2]->fi_pathname == strjoin(args[2]->fi_mount, "/directory/file")] = sum(args[0]->b_bcount);
		@last[args[0]->b_flags & B_WRITE ? "written" : "read"] = max(args[2]->fi_offset + args[0]->b_bcount);
	}
	END
	{
		printa("%s %s %@d\n", @bytes);
		printa("without done: %@d\n", @paired);
		printa("file: %s %s %s %s %s %d %@d\n", @file);
		printa("%s up to: %@d\n", @last);
	}' -c "sh run.sh $loop" "$disk" > out
set -- "$@" $(counted)
for way in start done; do
	grep -qx "$way read $(($3 - $1))" out && grep -qx "$way written $(($4 - $2))" out ||
		{ echo "not what was counted: $way $*"; cat out; }
done
grep -v -e '^start' -e '^done' out
