# The NFS server at work: what a client asks for over loop-back, by version 3
# and version 4, with the connection, the file, and the operation's own data.
# @timeout: 300
. "$suite/lib.sh"
needs_functions
[ -n "$DTRACE_TEST_GUEST" ] || skip "a server is started in guests only"
command -v rpc.nfsd > /dev/null || skip "no NFS server: nfs-kernel-server is not installed"
[ -e /sys/module/nfsd ] ||
	"$dtrace" -n 'nfsv3:::op-read-start' 2>&1 | grep -q 'nfsd, which is not loaded' ||
	echo "it is not said what is missing"
for module in nfs nfsv3 nfsv4; do modprobe -q $module; done
modprobe -q nfsd || skip "this kernel has no module nfsd"
nfs_export /dev/shm/exported /dev/shm/client

# Serve, by version $1 from path $2, a client that writes, reads and removes a file.
serve() {
	mount -t nfs -o "vers=$1,proto=tcp,nolock,noac" "127.0.0.1:$2" $client >> setup 2>&1 || { cat setup; exit 1; }
	rm -f out
	"$dtrace" -qn "$3"' tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' > out 2>&1 &
	tracer=$!
	await out armed
	dd if=/dev/zero of=$client/the-file bs=4096 count=3 oflag=direct 2>/dev/null
	dd if=$client/the-file of=/dev/null bs=4096 count=3 iflag=direct 2>/dev/null
	mkdir $client/the-directory
	rmdir $client/the-directory
	rm $client/the-file
	umount $client
	kill -INT $tracer
	wait $tracer
	grep -v '^armed' out | sort
}
serve 3 $export '
nfsv3:::op-write-start { printf("3 write %d at %d from %s to %s by %s\n", args[2]->count, args[2]->offset,
	args[0]->ci_remote, args[0]->ci_local, args[0]->ci_protocol); }
nfsv3:::op-write-done { printf("3 written %s, status %d\n", basename(args[1]->noi_curpath), ntohl(args[2]->status)); }
nfsv3:::op-read-start { self->xid = args[1]->noi_xid; }
nfsv3:::op-read-done { printf("3 read %s: %d, %s, uid %d\n", basename(args[1]->noi_curpath), args[2]->count,
	self->xid == args[1]->noi_xid ? "same call" : "another call", args[1]->noi_cred->cr_uid.val); }
nfsv3:::op-mkdir-start { printf("3 mkdir %s\n", stringof(args[2]->name)); }
nfsv3:::op-rmdir-done { printf("3 rmdir in %s, status %d\n", basename(args[1]->noi_curpath), ntohl(args[2]->status)); }'
serve 4.1 / '
nfsv4:::op-write-start { printf("4 write %d at %d to %s from %s\n", args[2]->write.wr_buflen, args[2]->write.wr_offset,
	basename(args[1]->noi_curpath), args[0]->ci_remote); }
nfsv4:::op-read-done { printf("4 read %s at %d, status %d\n", basename(args[1]->noi_curpath), args[2]->read.rd_offset, args[3]); }
nfsv4:::op-open-start { self->opens = 1; }
nfsv4:::op-open-done /self->opens/ { @["4 opened"] = count(); }
nfsv4:::op-remove-done { printf("4 remove in %s, status %d\n", basename(args[1]->noi_curpath), args[3]); }
nfsv4:::compound-start { starts++; } nfsv4:::compound-done { dones++; }
END { printf("4 compounds: %s\n", starts > 10 && starts == dones ? "all are done" : "lost"); printa("%s\n", @); }'
