# ext4slower.d of the Linux talk, as printed there: a write that a frozen file
# system holds up, and nothing that is quicker than was asked for.
. "$suite/lib.sh"
needs_functions
. "$test/ext4.inc"
need_ext4
cp "$test/ext4slower.d.txt" ext4slower.d
echo > mnt/data1
cat > slow.sh <<'S'
exec 3> mnt/data1
dd if=/dev/zero bs=64k count=1 status=none >&3
fsfreeze -f mnt
dd if=/dev/zero bs=32k count=1 status=none >&3 &
until grep -q "^1 0x1 " /proc/$!/syscall; do sleep 0.05; done	# waits in write(2)
sleep 0.6
fsfreeze -u mnt
wait
S
# on a slow machine others may be slow, too
"$dtrace" -s ./ext4slower.d -c "sh slow.sh" 400 2>&1 |
	awk '/that fired while their program ran on that CPU$/ { next }
	/ [RW] / && $8 >= 400 && !($5 == "dd" && $7 == 32) { next }
	/ W / && $8 >= 400 { sub(/^.* dd /, "{time} dd "); sub(/ [0-9]+ data1/, " {ms} data1") } NF { $1 = $1; print }'
