# Writers of one file wait for each other, sooner or later: the lock is the
# file's own, the time is known, the waiter is the thread that fires.
cat > run.sh <<'Y'
for i in 1 2 3 4 5 6; do dd if=/dev/zero of=shared bs=4M count=8 conv=notrunc status=none & done
wait
Y
for _ in $(seq 30); do
	"$dtrace" -qn '
		lockstat:::rw-block /execname == "dd" && progenyof($target) &&
		    (uintptr_t)args[0] == (uintptr_t)&getf(1)->f_inode->i_rwsem/
		{
			@["waits for the file", args[2] == RW_WRITER, args[1] > 0 && args[1] < timestamp] = count();
		}
		END { printa("%s, writer %d, with time %d\n", @); }' -c "sh run.sh" > out
	grep -q waits out && break
done
cat out
