# The talk's drill-down into ext4_readpages(), which is ext4_readahead() today
# and takes the file in another structure: by time, by file and stack.
. "$suite/lib.sh"
needs_functions
. "$test/ext4.inc"
need_ext4
for n in 1 2 3; do head -c 100000 /dev/urandom > mnt/foo$n; done
sync
echo 3 > /proc/sys/vm/drop_caches
"$dtrace" -n 'fbt::ext4_readahead:entry { self->ts = timestamp; }
fbt::ext4_readahead:return /self->ts/ {
  @["us"] = lquantize((timestamp - self->ts) / 1000, 0, 10000, 250);
  self->ts = 0;
}' -c 'cat mnt/foo1 mnt/foo2' > /dev/null 2> err
head -1 err
echo 3 > /proc/sys/vm/drop_caches
"$dtrace" -n 'fbt::ext4_readahead:entry {
    this->file = ((struct readahead_control *)arg0)->file;
    this->name = this->file->f_path.dentry->d_name.name;
    @[stringof(this->name), stack()] = count();
}' -c 'sha256sum mnt/foo1 mnt/foo2 mnt/foo3' > out 2>&1
grep -o '^  foo[1-3]' out | sort -u
grep -o 'vmlinux`read_pages+' out | sort -u
grep -o 'vmlinux`vfs_read+' out | sort -u
