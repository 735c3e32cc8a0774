# nfsslower: files that an NFS server has, and no others.
# @timeout: 300
. "$suite/toolkit.sh"
[ -n "$DTRACE_TEST_GUEST" ] || skip "a server is started in guests only"
command -v rpc.nfsd > /dev/null || skip "no NFS server: nfs-kernel-server is not installed"
for module in nfs nfsv4 nfsd; do modprobe -q $module || skip "this kernel has no module $module"; done
nfs_export /dev/shm/slow-exported /dev/shm/slow-client
mount -t nfs -o "vers=4.1,proto=tcp" 127.0.0.1:/ $client >> setup 2>&1 || { cat setup; exit 1; }
cat > works.py <<'Y'
import os, sys
fd = os.open(sys.argv[1] + "/file", os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 10240)
os.fsync(fd)
with open("elsewhere", "w") as out: out.write("x")
Y
name_of_its_own python3
: > out
DTRACE=$dtrace "$suite/../toolkit/nfsslower" -m 0 -n $me > out &
tracer=$!
for _ in $(seq $looks); do
	./$me works.py $client
	[ "$(grep -c ' S .*file' out)" -ge 2 ] && break
done
kill -INT $tracer
wait $tracer
grep . out | awk 'NR > 1 && $NF ~ /file$/ { print $7, $8, $10 }' | sort -u
grep -c elsewhere out
exit 0
