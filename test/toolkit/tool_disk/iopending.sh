# iopending: a write that cannot go on is pending, those that are done are not.
. "$suite/toolkit.sh"
own_ext4 32m
truncate -s 8m there/file
inner=$(losetup -f --show there/file 2> error) || skip "no second loop device: $(cat error)"
trap 'fsfreeze -u there 2> /dev/null; losetup -d $inner; umount -q $loop; losetup -d $loop' EXIT
# its file system is frozen until the tool has printed that one request was pending
cat > run.sh <<'Y'
dd if=$1 of=/dev/null bs=64k count=64 iflag=direct status=none
fsfreeze -f there
dd if=/dev/zero of=$1 bs=64k count=1 oflag=direct status=none &
for _ in $(seq $2); do
	grep -q '^ *1 |@' tool.out && break
	sleep 0.05
done
fsfreeze -u there
wait
Y
tool iopending -d ${inner##*/} 1 -- sh run.sh $inner $looks | awk '
	/disk_r/ { r += $(NF - 4); w += $(NF - 1) }
	/\|/ && $NF > 0 { seen[$1] = 1; if ($1 > most) most = $1 }
	END { print "read", r, "written", w; print "at most", most; print seen[0], seen[1] }'
