# SPDX-License-Identifier: Apache-2.0
"""dtlive for tests of its page, and programs for it to look at."""
import json, os, signal, subprocess, sys, tempfile, time, urllib.request

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# names as /proc/PID/comm has them: 15 bytes
CULPRIT, VICTIM, EVIL = "culprit", "victim", "<b>evil</b>"

# Writes much and waits for the disk each second, or reads a little all the time.
LOAD = """
import ctypes, os, sys, time
ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0)
path, n = sys.argv[2], 0
file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
while True:
    n += 1
    os.pwrite(file, b"x" * 4096, 0)
    os.pread(file, 4096, 0)
    if sys.argv[1] == "culprit" and n % 50 == 0:
        os.pwrite(file, os.urandom(4 << 20), 0)
        os.fsync(file)
    time.sleep(0.01)
"""


class Load:
    def __init__(self, *names):
        self.directory = tempfile.TemporaryDirectory(dir="/var/tmp")
        self.processes = [subprocess.Popen([sys.executable, "-c", LOAD, name, os.path.join(self.directory.name, str(i))]) for i, name in enumerate(names)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()
        self.directory.cleanup()


class Server:
    """The real one; `url` logs a browser in."""

    def __init__(self, *arguments):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([f"{TOP}/build/dtlive", *arguments], stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.url = self.process.stdout.readline().split()[0]
        self.base, _, self.token = self.url.partition("/?token=")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def bytes(self, path):
        request = urllib.request.Request(f"{self.base}/api/1/{path}", headers={"Authorization": "Bearer " + self.token})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()

    def kill_confined(self):
        """The part that speaks HTTP: the child that is not root."""
        children = subprocess.run(["ps", "-o", "pid=,uid=", "--ppid", str(self.process.pid)], capture_output=True, text=True, check=True).stdout
        for line in children.splitlines():
            pid, uid = line.split()
            if uid != "0":
                os.kill(int(pid), signal.SIGKILL)
                return
        raise AssertionError("no confined server: " + children)

    def ask(self, method, path, body=None):
        request = urllib.request.Request(f"{self.base}/api/1/{path}", method=method, headers={"Authorization": "Bearer " + self.token, "Content-Type": "application/json"},
                                         data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def get(self, path):
        return self.ask("GET", path)

    def ids(self):
        return [one["id"] for one in self.get("instrumentations")["instrumentations"]]

    def one(self, number):
        return self.get(f"instrumentations/{number}")

    def clear(self):
        for number in self.ids():
            self.ask("DELETE", f"instrumentations/{number}")

    def wait_for(self, number, claim, patience=40):
        """Until its values are such."""
        deadline = time.monotonic() + patience
        while not claim(values := self.get(f"instrumentations/{number}/values")):
            if time.monotonic() > deadline:
                raise AssertionError(f"it was not counted: {self.one(number)}")
            time.sleep(0.3)
        return values
