# getaddrinfo.d: names that a program looks up, found and not.
# @anykernel: calls of functions of a process are traced in the chapter pid
. "$suite/toolkit.sh"
cat > look.py <<'Y'
import socket
socket.getaddrinfo("127.0.0.1", 80)
socket.getaddrinfo("localhost", None)
try: socket.getaddrinfo("no-number", None, flags=socket.AI_NUMERICHOST)
except OSError: pass
Y
"$dtrace" -s "$suite/../toolkit/getaddrinfo.d" -c "/usr/bin/python3 look.py" > out
awk 'NF { print (NR == 1 ? $1 " " $2 " " $3 " " $4 " " $5 : (($6 >= 0) ? "us" : $6) " " ($7 < 0 ? "failed" : $7) " " $8) }' out
