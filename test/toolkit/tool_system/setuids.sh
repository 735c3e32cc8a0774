# setuids.d: each change of user, with the one before; not those that fail.
. "$suite/toolkit.sh"
cat > become.py <<'Y'
import os
def child(act):
    if os.fork() == 0:
        try: act()
        except OSError: pass
        os._exit(0)
    os.wait()
child(lambda: os.setuid(12345))
child(lambda: os.setreuid(12346, 12347))
def twice():
    os.setresuid(12348, 12348, 12348)
    os.setuid(0)
child(twice)
Y
tool setuids.d -- python3 become.py | awk 'NR == 1; /become.py/ { $3 = $3 > 0 ? "ppid" : $3; $4 = $4 > 0 ? "pid" : $4; print }'
