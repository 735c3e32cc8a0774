# sysfs.d, fstop10.d: calls about files, and no others, of a known program.
. "$suite/toolkit.sh"
cat > calls.py <<'Y'
import os
for _ in range(30000):
    os.stat(".")
    os.getppid()
Y
name_of_its_own python3
tool sysfs.d -n $me -- ./$me calls.py > out
awk '/SYSCALL/ { print $1, $2, $3 } $2 ~ /stat/ { stats += $3 } $2 == "getppid" { print "what:", $0 }
	END { print "stat", (stats >= 30000 && stats < 31000 ? "30000 and those of its start" : stats) }' out
tool fstop10.d --every 1h -- ./$me calls.py | sed 1d > out
awk -v me=$me 'NR == 1 { print $1, $2, $3 } $1 == me && $2 ~ /stat/ { stats += $3 }
	END { print "stat", (stats >= 30000 && stats < 31000 ? "30000 and those of its start" : stats); print "lines", (NR <= 11 ? "ten at most" : NR) }' out
