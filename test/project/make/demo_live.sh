# The tour ends with the address of the live page, which answers, where there is a terminal; without one it says how to get it.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
python3 - "$suite/.." "$(dirname "$dtrace")" <<'P'
import os, pty, re, select, subprocess, sys, tempfile, urllib.request
top, build = sys.argv[1:]
# the tour itself is run by the stage `demo`: its stops say nothing here
directory = tempfile.mkdtemp(dir=".")
with open(f"{directory}/dtrace", "w") as file:
    file.write("#!/bin/sh\n")
os.chmod(f"{directory}/dtrace", 0o755)
os.symlink(f"{os.path.abspath(build)}/dtlive", f"{directory}/dtlive")
command = ["sh", f"{top}/doc/demo.sh", f"{directory}/dtrace"]
words = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
print("without:", "make demo-live" in words, "http://" in words)
ours, its = pty.openpty()
process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, start_new_session=True)
os.close(its)
said = b""
while not (found := re.search(rb"(http://127\.0\.0\.1:\d+)/\?token=(\w+)\r", said)):
    said += os.read(ours, 4096)
base, token = (word.decode() for word in found.groups())
def ask():
    for _ in range(100):
        try:
            return urllib.request.urlopen(urllib.request.Request(base + "/api/1/status", headers={"Authorization": "Bearer " + token}), timeout=20).status
        except OSError:
            select.select([], [], [], 0.1)
print("with a terminal:", ask())
os.write(ours, b"\n")
print("ended:", process.wait(60))
try:
    urllib.request.urlopen(base, timeout=20)
    print("the page is still there")
except OSError as error:
    print("the page is gone")
P
