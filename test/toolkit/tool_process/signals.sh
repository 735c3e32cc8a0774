# sigdist.d, kill.d: signals of a known program, by sender, recipient and result.
. "$suite/toolkit.sh"
cat > sends.py <<'Y'
import os, signal, subprocess
signal.signal(signal.SIGUSR1, lambda *_: None)
for _ in range(5): os.kill(os.getpid(), signal.SIGUSR1)
child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdin.write(b"x\n")
child.stdin.flush()
child.stdout.readline()			# now it is cat
os.kill(child.pid, signal.SIGTERM)
child.wait()
os.kill(os.getpid(), 0)
try: os.kill(2 ** 22 + 1, signal.SIGHUP)
except OSError: pass
Y
name_of_its_own python3
tool sigdist.d -- ./$me sends.py > out
grep -w "SENDER\|$me" out | unnamed python3 | grep -E 'SENDER|python3 (python3|cat) (10|15)' | sort
tool kill.d -- ./$me sends.py | grep -w "FROM\|$me" | unnamed python3 |
	awk '/FROM/ { print } $2 == "python3" { print $2, $3, ($4 == $1 ? "itself" : $4 == 4194305 ? "nobody" : "another"), $5 }'
