# Every example command of the manual runs.  Seconds are made shorter; where this
# kernel lacks a probe, and where a command has no end, it is compiled.
# @timeout: 300
"$triggers/requests" &
target=$!
python3 - "$suite/../doc/dtrace.8" "$dtrace" $target <<'PY'
import re, shlex, subprocess, sys
text = open(sys.argv[1]).read()
for escape, character in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~"), (r"\&", ""), (r"\e", "\\")):
    text = text.replace(escape, character)
commands = []
for block in re.findall(r"^\.EX\n(.*?)^\.EE", text, re.M | re.S):
    commands += re.findall(r"^dtrace .*\n(?:    .*\n)*", block, re.M)
print("many commands" if len(commands) > 30 else f"{len(commands)} commands")

def run(command, *more):
    words = shlex.split(re.sub(r"tick-(\d)s", lambda m: f"tick-{int(m[1]) * 30}ms", command.replace("\\\n", " ")))
    # a program that this machine has, and a process
    words = ["true" if word == "java Program" else sys.argv[3] if word == "1234" else word for word in words]
    return subprocess.run([sys.argv[2], *more, *words[1:]], capture_output=True, text=True, errors="replace")

for command in commands:
    ends = "exit(0)" in command or " -c " in command or " -l" in command
    done = run(command, *(() if ends else ("-e", "-Z")))
    if "does not match any probes" in done.stderr:
        done = run(command, "-e", "-Z")
    if done.returncode or "invalid probe specifier" in done.stderr:
        print(command, done.returncode, done.stderr)
print("tried")
PY
kill $target
