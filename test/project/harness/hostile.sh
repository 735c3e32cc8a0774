# Tests find what they know around them, and pass, also where the harness is
# started with signals ignored or blocked, few descriptors, another language ...
# @anykernel: nothing here depends on the kernel
cat > hostile.py <<'Y'
import os, resource, signal, sys
harness = sys.argv[1:]
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD, signal.SIGUSR1, signal.SIGRTMIN):
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGALRM, signal.SIGUSR2])
os.umask(0o077)
for name, value in {"NOFILE": 64, "STACK": 1 << 20, "CORE": 0, "MEMLOCK": 0}.items():
    limit = getattr(resource, "RLIMIT_" + name)
    resource.setrlimit(limit, (value, resource.getrlimit(limit)[1]))
os.nice(5)
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
with open("/proc/self/oom_score_adj", "w") as file:
    file.write("300")
os.environ.update(LC_ALL="tr_TR.UTF-8", LANGUAGE="tr", TZ="Asia/Kolkata", TERM="xterm-256color", HOME="/nonexistent",
                  TMPDIR=os.getcwd() + "/a b", PATH=".:/nonexistent:" + os.environ["PATH"], CDPATH="/", BASH_ENV="/nonexistent",
                  POSIXLY_CORRECT="1", GREP_OPTIONS="-v", COLUMNS="20", DTRACE_DEBUG="1", DTRACE_OPT_quiet="1",
                  DEBUGINFOD_URLS="http://localhost:9/", ASAN_OPTIONS="halt_on_error=0", MAKEFLAGS="-n", LD_BIND_NOW="1")
os.makedirs("a b", exist_ok=True)
os.close(0)
os.execv(sys.executable, [sys.executable, *harness])
Y
for tests in harness/known process/terminal process/output actions/freopen; do
	setarch -R python3 hostile.py "$suite/run.py" --dtrace "$dtrace" --triggers "$triggers" --name $tests $tests.
done
# The same as a command, for what has no harness of its own.
setarch -R python3 hostile.py "$suite/surroundings.py" WORD=given sh -c '
	grep -E "^Sig(Blk|Ign)" /proc/self/status; umask; ulimit -n; readlink /proc/self/fd/0; env | grep -E "^(LC_|TZ|TMPDIR|MAKEFLAGS|WORD)" | sort'
# Who ends the harness ends the tests with it, and what they have started.
mkdir -p group/chapter
cp "$suite/run.py" "$suite/surroundings.py" .
echo 'echo $$ > '"$PWD"'/pid; sleep 1000 & wait' > group/chapter/sleeps.sh
python3 run.py --dtrace "$dtrace" --triggers "$triggers" chapter/sleeps > said 2>&1 &
. "$suite/lib.sh"
await pid .
kill -TERM $!
wait $!
echo "status $?"
for _ in $(seq $looks); do		# what is killed takes a moment to be gone
	pgrep -s "$(cat pid)" > /dev/null || { echo "nothing left"; break; }
	sleep 0.05
done
