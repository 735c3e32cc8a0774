# ip_top, count_syscalls, seek-write-stat, lib_call_stack: scripts that talks show.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 64
script() { name=$1; shift; "$dtrace" -s "$suite/../toolkit/$name" "$@"; }
echo "bytes by host"
until_seen() { while ! grep -q "$in4 *send" tool.out; do talk udp $in4 5 10000; done; }
tool ip_top -i 1s -t 1000 -- until_seen > all
grep -o 'ADDRESS .*' all | sort -u
# in a second or more at least one conversation was cut off by a page
awk -v in4=$in4 '$1 == in4 { print $1, $2, ($3 > 0) }' all | sort -u
echo "calls"
cp "$triggers/calls" called
tool count_syscalls -i 100s -n called -t 1 -- ./called now getppid 5000 > all
head -1 all
awk 'NR > 1 && NF { print $2, ($3 > 0 && $3 <= 5000), $4 }' all
echo "seeks and writes"
cat > seeks.py <<'Y'
import os
file = os.open("sought", os.O_CREAT | os.O_RDWR)
while file < 50:
    file = os.dup(file)
for i in range(3):
    os.lseek(file, 10, os.SEEK_CUR)
    os.write(file, b"xyz")
os.lseek(file, 0, os.SEEK_SET)
Y
script seek-write-stat -c 'python3 seeks.py' | awk '/fdesc/ { print; next } $1 == 50'
echo "who calls"
script lib_call_stack -c "$triggers/calls now open 2" libc 'snprintf' | sed 's/+0x.*//; s/^pid[0-9]*/pid/' | grep -e '^pid' -e calls.work
