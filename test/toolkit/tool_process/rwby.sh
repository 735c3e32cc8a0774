# rwbypid.d, rwbbypid.d, rwbytype.d, scrwtop10.d: the same reads and writes, summed up in different ways.
. "$suite/toolkit.sh"
cat > moves.py <<'Y'
import os, socket
one, other = socket.socketpair()
inlet, outlet = os.pipe()
out = os.open("there", os.O_WRONLY | os.O_CREAT)
for _ in range(30):
    os.write(out, b"x" * 50000)
    os.write(outlet, b"x" * 100)
    os.read(inlet, 1000)
    os.write(one.fileno(), b"y" * 7)
Y
name_of_its_own python3
load() { tool "$@" -- ./$me moves.py | grep -w "CMD\|EXEC\|$me" | unnamed python3; }
load rwbypid.d | awk '/CMD/ || $3 == "W" { $1 = ""; print }'
load rwbbypid.d | awk '/CMD/ || $3 == "W" { $1 = ""; print }'
load rwbytype.d | awk '/CMD/ || $3 == "fifo" || $3 == "sock" || $3 $4 == "regW" { $1 = ""; print }'
load scrwtop10.d --every 1h | awk '/EXEC/ { print } $3 == "write" && $5 > 1000000 { print $1, $3, $5, $6, $7 }'
