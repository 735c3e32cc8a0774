# iosnoop: each request of known reads and writes with place, size, process and file; filters.
. "$suite/toolkit.sh"
own_ext4 16m
dd if=/dev/zero of=there/file bs=64k count=4 status=none
umount there
cat > direct.sh <<'Y'
dd if=$1 of=/dev/null bs=4k count=4 skip=100 iflag=direct status=none
dd if=/dev/zero of=$1 bs=64k count=2 seek=5 oflag=direct status=none
Y
echo "past the cache"
tool iosnoop -d $disk -n dd -- sh direct.sh $loop | awk '{ $2 = ($2 > 0) ? "pid" : $2; print }'
echo "with device and times, one process's"
cat > one.sh <<'Y'
echo $$ > pid
exec dd if=$1 of=/dev/null bs=8k count=2 iflag=direct status=none
Y
tool iosnoop -aisN -d $disk -- sh one.sh $loop > all
awk -v pid=$(cat pid) '
	NR == 1 { print; next }
	{ print ($1 <= $2 ? "in order," : $1 " " $2), $7, $9, ($8 >= 0 && $10 >= 0 ? "" : "no numbers,"),
	    ($11 <= $2 - $1 + 1 ? "" : "late,"), ($12 <= $11 ? "" : "longer,"), $13, ($14 == pid ? "pid" : $14), $15, $16, $17, $18, $19, $20, $21 }' all | sed "s/$disk/disk/g; s/  */ /g"
mount $loop there
echo "a file's"
tool iosnoop -f "$PWD/there/file" -- cat there/file | awk '
	NR > 1 { sum += $5; names[$6 " " $3 " " substr($7, length($7) - 9)] }
	END { print sum; for (name in names) print name }'
echo "another file system's"
tool iosnoop -m /nowhere -- sh direct.sh $loop | awk 'NR > 1'
