# Pages of a mapped file that are not in memory are fetched: the file's name.
. "$suite/lib.sh"
. "$suite/providers/talk/ext4.inc"
need_probe fsinfo:::getpage
need_ext4
head -c 65536 /dev/zero > mnt/the-file
umount mnt
mount -o loop image mnt
cat > run.py <<'X'
import mmap, os
data = mmap.mmap(os.open("mnt/the-file", os.O_RDWR), 65536)
data.madvise(mmap.MADV_RANDOM)
for page in range(16):
    data[page * 4096]
X
"$dtrace" -qn 'fsinfo:::getpage /pid == $target && args[0]->fi_name == "the-file"/
	{ @[probename, args[0]->fi_fs, basename(args[0]->fi_dirname), args[1]] = count(); }
	END { printa("%s %s %s %d %@d\n", @); }' -c 'python3 run.py'
