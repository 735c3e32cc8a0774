# crash.d: a report on a program that a fault ends, none on one that handles it.
. "$suite/toolkit.sh"
name_of_its_own python3
cat > ends.py <<'Y'
import os, signal, sys
if sys.argv[1] == "handled":
    signal.signal(signal.SIGFPE, lambda *_: None)
os.kill(os.getpid(), signal.SIGFPE)
Y
ulimit -c 0
tool crash.d -n $me -- sh -c "./$me ends.py 'not handled'; :" > out
sed 's/at .*/at TIME/' out | unnamed python3 |
	awk '/^[A-Z][a-zA-Z]*:/ { if ($2 ~ /^[0-9]+$/ && $1 != "UID:" && $1 != "Threads:") $2 = ($2 > 0 ? "number" : $2)
		if ($1 == "Ancestors:") { $0 = $1 " " $2 } print; next }
		/CRASH/ { print } /libc.so.6`/ { libc = 1 } END { print libc ? "stack" : "no stack" }'
echo "handled: $(tool crash.d -n $me -- ./$me ends.py handled | grep -c CRASH)"
