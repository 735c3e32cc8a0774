# iotop: bytes, times and shares by process add up to what was done; only the largest.
. "$suite/toolkit.sh"
own_disk 16m
cat > direct.sh <<'Y'
dd if=$1 of=/dev/null bs=4k count=4 skip=100 iflag=direct status=none
dd if=/dev/zero of=$1 bs=64k count=2 seek=5 oflag=direct status=none
Y
# pages may be cut anywhere: add them up
add() { awk '$4 == "dd" { sum[$5 " " $6 " " $7 " " $8] += $9 } /disk_r/ { r += $(NF - 4); w += $(NF - 1) }
	$9 == word { columns = $0 } END { print columns; for (what in sum) print what, number ? (sum[what] > 0) : sum[what]; print "read", r, "written", w }' \
	word="$1" number="$2" | sed "s/$disk/disk/; s/ 7 [0-9]* / 7 minor /" | sort; }
tool iotop -d $disk 1 -- sh direct.sh $loop | add BYTES
echo "elapsed"
tool iotop -D -d $disk 1 -- sh direct.sh $loop | add TIME 1
echo "of the disk"
tool iotop -o -d $disk 100 -- sh direct.sh $loop | add DISKTIME 1
echo "the largest"
tool iotop -t 1 -d $disk 100 -- sh direct.sh $loop | awk '$4 == "dd" { print $8, $9 }'
echo "percent"
tool iotop -P -d $disk 100 -- sh direct.sh $loop | awk '$4 == "dd" { print $8, ($9 >= 0 && $9 <= 100) }' | sort
echo "two pages"
"$dtrace" -s "$suite/../toolkit/iotop" -d $disk 1 2 | grep -c 'disk_r: *0 KB'
