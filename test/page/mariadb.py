# SPDX-License-Identifier: Apache-2.0
"""A MariaDB server of its own, and clients that keep it busy, for tests of pictures.

    with mariadb.busy() as pid: ...

The server has its own directory and socket; both end with the block.
"""
import contextlib, os, shutil, subprocess, tempfile, time

SERVER = shutil.which("mariadbd") or "/usr/sbin/mariadbd"
PATIENCE = 120      # seconds until a server that does not answer is a failure


def stop(process):
    process.terminate()
    process.wait()


@contextlib.contextmanager
def server():
    """Yields its process and its socket."""
    with tempfile.TemporaryDirectory(prefix="mariadb.", dir="/tmp") as top:   # short enough for a socket
        os.chmod(top, 0o755)
        shutil.chown(top, "mysql")
        data, socket = f"{top}/db", f"{top}/s"
        with open(f"{top}/log", "w", encoding="utf-8") as log:
            subprocess.run(["mariadb-install-db", "--no-defaults", "--user=mysql", f"--datadir={data}", "--skip-test-db",
                            "--auth-root-authentication-method=normal"], stdout=log, stderr=log, check=True)
            process = subprocess.Popen([SERVER, "--no-defaults", "--user=mysql", f"--datadir={data}", f"--socket={socket}",
                                        "--skip-networking", f"--pid-file={top}/pid", "--innodb-buffer-pool-size=16M"],
                                       stdout=log, stderr=log, cwd=top)
        try:
            await_answer(process, socket, f"{top}/log")
            yield process, socket
        finally:
            stop(process)


def client(program, socket, *words):
    return [program, "--no-defaults", "-u", "root", "-S", socket, *words]


def await_answer(process, socket, log):
    deadline = time.monotonic() + PATIENCE
    while subprocess.run(client("mariadb", socket, "-e", "select 1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        if process.poll() is not None or time.monotonic() > deadline:
            with open(log, encoding="utf-8", errors="replace") as file:
                raise AssertionError("the server does not answer:\n" + file.read())
        time.sleep(0.1)


@contextlib.contextmanager
def busy():
    """Three clients read and write rows; yields the number of the server."""
    with server() as (process, socket):
        load = subprocess.Popen(client("mariadb-slap", socket, "--auto-generate-sql", "--auto-generate-sql-load-type=mixed",
                                       "--concurrency=3", "--number-of-queries=3000", "--iterations=100000"),
                                stdout=subprocess.DEVNULL)
        try:
            yield process.pid
        finally:
            stop(load)
