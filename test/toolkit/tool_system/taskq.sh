# taskq.d: what kworkers do, by function: as often as a terminal gets something to read.
. "$suite/toolkit.sh"
cat > load.py <<'Y'
import os, pty
master, slave = pty.openpty()
for _ in range(100):
    os.write(master, b"x\n")
    os.read(slave, 10)      # comes when the kernel's work is done
    os.read(master, 10)     # the echo
Y
tool taskq.d -- python3 load.py > out
sed -n 2p out | sed 's/  */ /g'
awk '/flush_to_ldisc/ { print $1, ($2 >= 100 ? "each" : $2), ($5 >= $4 ? "times" : $0) }' out
