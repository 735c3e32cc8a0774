# Completion in a real bash on a terminal: the line as it is after the tabulator.
# @anykernel: nothing is loaded
completions=$suite/../share/bash-completion/completions/dtrace
[ -e "$completions" ] || completions=/usr/share/bash-completion/completions/dtrace
cat > slower.d <<END
#!$dtrace -qs
#pragma D parameter min_time time = 10ms "limit"
#pragma D parameter wide bool "long lines"
BEGIN { exit(0); }
END
chmod +x slower.d
cat > type.py <<'END'
import os, pty, sys
lines = ["dtrace -x bufpo", "dtrace -x bufpolicy=ri", "dtrace -n sysca", "dtrace -n syscall::preadv:e",
         "dtrace -n 'syscall::preadv:r", 'dtrace -n "BEGIN, syscall::preadv:e', "dtrace -l -P sysi", "dtrace --repl",
         "dtrace -s slower.d --mi", "dtrace -s slo", "dtrace -s slower.d --no", "dtrace -s slower.d a\\ b --he", "./slower.d --wi",
         "dtrace -x nosuch"]
pid, terminal = pty.fork()
if pid == 0:
    os.environ["PATH"] = os.path.dirname(os.environ["dtrace"]) + ":" + os.environ["PATH"]
    os.environ["TERM"] = "dumb"
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
def run(text):
    os.write(terminal, text.encode())
    while not os.path.exists("done"):
        os.read(terminal, 4096)
    os.unlink("done")
# after each tabulator ^X writes the line, and that it has
run(f". {sys.argv[1]}; complete -F _dtrace_script slower.d; bind -x '\"\\C-x\": echo \"$READLINE_LINE|\" >> typed; : > done'; : > done\n")
for line in lines:
    run(line + "\t\x18")
    os.write(terminal, b"\x15")
os.write(terminal, b"exit\n")
try:
    while os.read(terminal, 4096):
        pass
except OSError:
    pass
os.waitpid(pid, 0)
END
python3 type.py "$completions"
cat typed
