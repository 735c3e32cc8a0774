# Changed pages of a mapped file are written: the file's name.
. "$suite/lib.sh"
. "$suite/providers/talk/ext4.inc"
need_probe fsinfo:::putpage
need_ext4
head -c 65536 /dev/zero > mnt/the-file
cat > run.py <<'X'
import mmap, os
data = mmap.mmap(os.open("mnt/the-file", os.O_RDWR), 65536)
data[0] = 1
data.flush()
X
"$dtrace" -qn 'fsinfo:::putpage /pid == $target && args[0]->fi_name == "the-file" && !n++/
	{ printf("%s %s %s %d\n", probename, args[0]->fi_fs, basename(args[0]->fi_dirname), args[1]); }' -c 'python3 run.py'
