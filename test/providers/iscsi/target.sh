# The iSCSI target at work: a target of the kernel's, made through configfs,
# and an initiator that logs in, asks, reads and logs out.
# @timeout: 300
. "$suite/lib.sh"
needs_functions
[ -n "$DTRACE_TEST_GUEST" ] || skip "a target is started in guests only"
[ -e /sys/module/iscsi_target_mod ] ||
	"$dtrace" -n 'iscsi:::scsi-command' 2>&1 | grep -q 'iscsi_target_mod, which is not loaded' ||
	echo "it is not said what is missing"
for module in target_core_mod target_core_file iscsi_target_mod; do
	modprobe -q $module || skip "this kernel has no module $module"
done 2>/dev/null
modprobe -q crc32c_generic	# the target wants it, and cannot load it here
config=/sys/kernel/config/target iqn=iqn.2003-01.org.example
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
disk=$config/core/fileio_0/disk portal=$config/iscsi/$iqn:disk/tpgt_1
remove() {
	echo 0 > $portal/enable
	rm $portal/lun/lun_0/port
	rmdir "$portal/np/127.0.0.1:3260" $portal/lun/lun_0 $portal ${portal%/*} $disk
} > /dev/null 2>&1
trap remove EXIT
mkdir -p $disk
echo "fd_dev_name=$PWD/disk,fd_dev_size=1048576" > $disk/control
echo 1 > $disk/enable
mkdir -p $portal/lun/lun_0 "$portal/np/127.0.0.1:3260"
ln -s $disk $portal/lun/lun_0/port
for setting in authentication=0 generate_node_acls=1 demo_mode_write_protect=0; do
	echo ${setting#*=} > $portal/attrib/${setting%=*}
done
echo 1 > $portal/enable
cat > initiator.py <<'Y'
import socket, struct
s = socket.create_connection(("127.0.0.1", 3260))
number = {"cmd": 1, "stat": 0, "tag": 0x100}

def exactly(n):
    data = b""
    while len(data) < n:
        more = s.recv(n - len(data))
        if not more:
            raise SystemExit("the target hung up")
        data += more
    return data

def ask(opcode, flags, lun=bytes(8), word20=0, tail=bytes(16), data=b""):
    if opcode != 0x43:                                      # a login has one tag
        number["tag"] += 1
    header = struct.pack(">BBH", opcode, flags, 0) + struct.pack(">I", len(data)) + lun
    header += struct.pack(">IIII", number["tag"], word20, number["cmd"], number["stat"]) + tail
    s.sendall(header + data + bytes(-len(data) % 4))
    if not opcode & 0x40:
        number["cmd"] += 1
    while True:
        answer = exactly(48)
        length = struct.unpack(">I", answer[4:8])[0] & 0xffffff
        exactly(length + -length % 4)
        number["stat"] = struct.unpack(">I", answer[24:28])[0] + 1
        if answer[0] & 0x3f != 0x25 or answer[1] & 1:       # data without status: more to come
            return answer

names = [b"InitiatorName=iqn.2003-01.org.example:me", b"SessionType=Normal",
         b"TargetName=iqn.2003-01.org.example:disk", b"HeaderDigest=None", b"DataDigest=None",
         b"InitialR2T=Yes", b"ImmediateData=Yes", b"MaxBurstLength=262144", b"FirstBurstLength=65536",
         b"MaxOutstandingR2T=1", b"ErrorRecoveryLevel=0", b"DefaultTime2Wait=2", b"DefaultTime2Retain=0",
         b"MaxConnections=1", b"DataPDUInOrder=Yes", b"DataSequenceInOrder=Yes", b"MaxRecvDataSegmentLength=8192"]
session = bytes([0, 0x02, 0x3d, 0, 0, 1, 0, 0])
answer = ask(0x43, 0x87, session, 0, data=b"".join(name + b"\0" for name in names))
while answer[36] == 0 and answer[1] & 0x83 != 0x83:
    answer = ask(0x43, 0x87, answer[8:16])
if answer[36] != 0:
    raise SystemExit("login refused: %d %d" % (answer[36], answer[37]))
ask(0x01, 0xc1, word20=36, tail=bytes([0x12, 0, 0, 0, 36]) + bytes(11))     # INQUIRY
ask(0x01, 0x81, tail=bytes(16))                                            # TEST UNIT READY
ask(0x01, 0x81, tail=bytes(16))
ask(0x40, 0x80, word20=0xffffffff)                                         # NOP
ask(0x46, 0x80)                                                            # logout
Y
"$dtrace" -qn '
iscsi:::login-response { printf("login-response from %s to %s by %s\n", args[0]->ci_local, args[0]->ci_remote, args[0]->ci_protocol); }
iscsi:::scsi-command { printf("scsi-command %x tag %x of %s for %s\n", args[2]->ic_cdb[0], args[1]->ii_itt, args[1]->ii_initiator, args[1]->ii_target); }
iscsi:::data-send { printf("data-send %d bytes tag %x\n", args[1]->ii_datalen, args[1]->ii_itt); }
iscsi:::scsi-response, iscsi:::nop-receive, iscsi:::nop-send, iscsi:::logout-command, iscsi:::logout-response
	{ printf("%s tag %x isid %x\n", probename, args[1]->ii_itt, args[1]->ii_isid); }
tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
python3 initiator.py || { cat out; exit 1; }
await out logout-response
kill -INT $tracer
wait $tracer
grep -v '^armed' out | sort -u
