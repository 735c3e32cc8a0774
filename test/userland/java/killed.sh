# A tracer that is killed at any moment, or whose connection with the agent breaks:
# the program runs on, no method stays instrumented, no file is left.
# @timeout: 600
. "$suite/java.sh"
start_java Work
say "spin 2" spinning
cat > break.py <<'PY'
# Shuts down the agent's connection: its socket is the one that it opened last.
import ctypes, os, socket, sys
pid = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
pidfd = os.pidfd_open(pid)
sockets = [fd for fd in map(int, os.listdir(f"/proc/{pid}/fd"))
           if os.path.exists(f"/proc/{pid}/fd/{fd}") or os.readlink(f"/proc/{pid}/fd/{fd}").startswith("socket:")]
for fd in sockets:
    copy = libc.syscall(438, pidfd, fd, 0)
    if copy < 0:
        continue
    try:
        with socket.socket(fileno=copy) as s:
            # the machine's own, which listens, is not connected
            s.getpeername()
            s.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
PY
# The tracer of this agent is gone before it connects.
cp "$(dirname "$dtrace")/java/agent.so" .
jcmd $target JVMTI.agent_load "$PWD/agent.so" "$PWD/nobody-1" | grep 'code'
python3 - "$dtrace" $target <<'PY'
import subprocess, sys, time
dtrace, target = sys.argv[1:]
program = "java$target:Work:s*:entry, java$target:Work:s*:return, java$target:Work?Part::entry { @ = count(); }"
for i in range(40):
    tracer = subprocess.Popen([dtrace, "-Zqn", program, "-p", target], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(i * 0.618 % 1 * 0.4)     # moments that lie evenly
    if i % 2:
        subprocess.run([sys.executable, "break.py", target], stderr=subprocess.DEVNULL)
        time.sleep(0.01)
    tracer.kill()
    tracer.wait()
PY
say "load 3" loads
say alive alive
# The last agent may still be at it.
for _ in $(seq $looks); do
	ls -l /proc/$target/fd | grep -c socket: > sockets
	[ "$(cat sockets)" -le 1 ] && break
	sleep 0.05
done
[ "$(cat sockets)" -le 1 ] || { echo "sockets of agents are left:"; cat sockets; }
check_bytecode Work
trace_java "" 'java$target:Work:step:entry { @["step entry"] = count(); }' "stop" stopped "run 3 100" steps
grep -o 'step entry' out
grep -q "^steps" said && echo "it still counts"
# Others that attach now have files, too, but soon remove them.
for _ in $(seq $looks); do
	find /tmp -maxdepth 1 -name '.dtrace-*' > left
	[ -s left ] || break
	sleep 0.05
done
cat left
