# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL in a directory of its own, as nobody, for tests."""
import glob, os, pwd, shutil, signal, subprocess, tempfile

from browser import equal, wait


class PostgreSQL:
    def __init__(self):
        self.bin = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.data = tempfile.mkdtemp(prefix="postgresql.", dir="/tmp")     # short enough for a socket
        os.chown(self.data, pwd.getpwnam("nobody").pw_uid, -1)
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "bench", "--no-sync")
        self.process = self.start("postgres", "-D", self.data, "-k", self.data, "-c", "listen_addresses=", "-c", "fsync=off")
        wait(lambda: subprocess.run([f"{self.bin}/pg_isready", "-q", "-h", self.data]).returncode == 0)

    def start(self, program, *arguments, **more):
        return subprocess.Popen([f"{self.bin}/{program}", *arguments], user="nobody", group="nogroup", extra_groups=[], cwd="/",
                                env={"PGHOST": self.data, "PGUSER": "bench", "PGDATABASE": "postgres", "PATH": "/usr/bin"},
                                **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **more})

    def run(self, *command):
        equal(self.start(*command).wait(), 0)

    def said(self, *command):
        process = self.start(*command, stdout=subprocess.PIPE, text=True)
        words = process.communicate()[0]
        equal(process.returncode, 0)
        return words

    def ask(self, statement):
        return subprocess.run([shutil.which("psql", path=self.bin) or "psql", "-h", self.data, "-U", "bench", "-d", "postgres", "-qAtc", statement],
                              capture_output=True, text=True, check=True).stdout.strip()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        shutil.rmtree(self.data)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
