# Every one-liner of the README runs (its five seconds made one, or more if nothing
# happens in that time).
# @timeout: 300
top=$suite/..
python3 - "$top/README.md" "$dtrace" <<'PY'
import re, shlex, signal, subprocess, sys
text = open(sys.argv[1]).read()
section = text.split("## A dozen one-liners")[1].split("Every D error")[0]
commands = re.findall(r"^    (dtrace (?:[^'\n]*'[^']*')+[^\n]*)", section, re.M)
print(len(commands), "commands")
# Something that reads, writes, fails and starts processes all the time.
target = subprocess.Popen(["sh", "-c", "while :; do ls /etc/hostname /nosuch > /dev/null 2>&1; echo > /dev/null; done"])
try:
    for command in commands:
        for seconds in (1, 5, 25):
            words = shlex.split(re.sub(r"tick-(5|10)s", f"tick-{seconds}s", command).replace("PID", str(target.pid)))
            words[0] = sys.argv[2]
            run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
            first = ""
            if "exit(0)" not in command and " -c " not in command:
                first = run.stdout.readline()
                run.send_signal(signal.SIGINT)
            out, err = run.communicate()
            printed = (first + out).strip() or "kill" in command
            if printed:
                break
        errors = [line for line in err.splitlines() if "matched" not in line and "has exited" not in line]
        print(run.returncode, "printed" if printed else "SILENT", *errors)
finally:
    target.kill()
PY
