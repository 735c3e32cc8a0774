# A program that uses its CPU in user mode, and one that has the kernel work: where
# most ticks of the clock find them.
. "$test/../lib.sh"
need_probe sysinfo:::cpu_ticks_user
most() {
	"$dtrace" -qn 'sysinfo:::cpu_ticks_user, sysinfo:::cpu_ticks_kernel /pid == $target/ { @[probename] = sum(args[0]); }
		END { trunc(@, 1); printa("%s\n", @); }' -c "$1"
}
cat > user.py <<'X'
import time
end = time.process_time() + 0.5
while time.process_time() < end:
    sum(range(10000))
X
most 'python3 user.py'
most 'dd if=/dev/urandom of=/dev/null bs=1M count=8 status=none'
