# A program on NFS is traced as any other; when its server is gone, dtrace does not wait for the program's file.
# @timeout: 300
. "$suite/lib.sh"
[ -n "$DTRACE_TEST_GUEST" ] || skip "a server is started in guests only"
command -v rpc.nfsd > /dev/null || skip "no NFS server: nfs-kernel-server is not installed"
for module in nfs nfsv3 nfsd; do modprobe -q $module || skip "this kernel has no module $module"; done
nfs_export /dev/shm/dead-exported /dev/shm/dead-client
cp "$triggers/functions" $export
mount -t nfs -o "vers=3,proto=tcp,nolock,timeo=50" 127.0.0.1:$export $client >> setup 2>&1 || { cat setup; exit 1; }
$client/functions &
target=$!
await_ready $target
echo "while it answers:"
"$dtrace" -ln "pid$target:functions:greet:entry" 2>&1 | tail -n +2 | tr -s ' ' | cut -d' ' -f4-
echo "when it is gone:"
rpc.nfsd 0
"$dtrace" -ln "pid$target:functions:greet:entry" 2>&1 | grep "^dtrace:" | sed "s/$target/PID/g"
kill $target
