# A user who may have no more processes asks for three: procovf fires for each.
cat > run.py <<'X'
import os, resource
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
os.setresuid(54321, 54321, 54321)
for _ in range(3):
    try:
        if not os.fork():
            os._exit(0)
    except BlockingIOError:
        pass
X
"$dtrace" -qn 'sysinfo:::procovf /pid == $target/ { @[probename] = sum(args[0]); } END { printa("%s %@d\n", @); }' -c 'python3 run.py'
