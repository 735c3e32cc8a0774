# A signal that is ignored is discarded; one that is waited for is cleared.
cat > run.py <<'X'
import os, signal
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
for i in range(10):
    os.kill(os.getpid(), signal.SIGUSR1)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
for i in range(3):
    os.kill(os.getpid(), signal.SIGUSR2)
    signal.sigwaitinfo([signal.SIGUSR2])
X
"$dtrace" -qn '
	proc:::signal-discard /pid == $target && args[1]->pr_pid == pid/ { @[probename, args[2]] = count(); }
	proc:::signal-send /pid == $target && args[1]->pr_pid == pid/ { @[probename, args[2]] = count(); }
	proc:::signal-clear /pid == $target/ { @[probename, args[0]] = count(); }
	END { printa("%s %d: %@d\n", @); }' -c 'python3 run.py'
