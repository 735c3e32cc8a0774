# ext4slower.d of the Linux talk, as printed there: a write that a frozen file
# system holds up for more than 10 ms, and not those that are quick.
. "$test/../lib.sh"
needs_functions
. "$test/ext4.inc"
need_ext4
cp "$test/ext4slower.d.txt" ext4slower.d
echo > mnt/data1
cat > slow.sh <<'S'
exec 3> mnt/data1
dd if=/dev/zero bs=64k count=1 status=none >&3
fsfreeze -f mnt
dd if=/dev/zero bs=64k count=1 status=none >&3 &
until grep -q "^State:.D" /proc/$!/status; do sleep 0.05; done
sleep 0.6
fsfreeze -u mnt
wait
S
"$dtrace" -s ./ext4slower.d -c "sh slow.sh" 400 2>&1 |
	awk '/that fired inside their own program$/ { next }
	/ W / && $8 >= 400 { sub(/^.* dd /, "{time} dd "); sub(/ [0-9]+ data1/, " {ms} data1") } NF { $1 = $1; print }'
