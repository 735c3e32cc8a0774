# The kernel cuts a large request into several, also within a page of the cache:
# fi_offset is where each begins in the file.
. "$suite/lib.sh"
own_ext4 32m
dd if=/dev/zero of=there/file bs=2M count=2 conv=fsync status=none
umount there
limit=/sys/block/$disk/queue/max_sectors_kb
usual=$(cat $limit)
echo 64 > $limit
cat > run.sh <<'Y'
mount $1 there
cat there/file > /dev/null
umount there
Y
"$dtrace" -qn '
	io:::start, io:::done /args[1]->dev_statname == $$1 && args[2]->fi_name == "file"/
	{ printf("%s %d %d %d\n", probename, args[0]->b_blkno, args[2]->fi_offset, args[0]->b_bcount); }' \
	-c "sh run.sh $loop" "$disk" > out
echo "$usual" > $limit
# The blocks of a file that was written at once follow each other.
for probe in start done; do
	grep "^$probe" out | sort -k2,2n | awk '
		NR == 1 { first = $2 }
		$3 != 512 * ($2 - first) { print "block " $2 - first " is not at " $3 }
		{ size += $4; most = $4 > most ? $4 : most }
		END { print $1, size " bytes, at most " most }'
done
