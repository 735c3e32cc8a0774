#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A bit of everything that metrics are about, again and again, until SIGTERM.

    load.py DIRECTORY       where it may make files

Prints "round" after each round.  Each kind of work is a function below; one
that this machine does not allow is left out for the rest of the run.
"""
import ctypes, fcntl, gc, mmap, os, signal, socket, subprocess, sys, threading, time

where = sys.argv[1]
libc = ctypes.CDLL(None, use_errno=True)
ended = False


def end(*_):
    global ended
    ended = True


def files():
    """Reads, writes, names, locks and syncs of files, with and without a cache."""
    path = os.path.join(where, "file")
    with open(path, "w+b") as f:
        f.write(b"x" * 65536)
        f.flush()
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        f.seek(0)
        f.read()
        fcntl.flock(f, fcntl.LOCK_EX)
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        with mmap.mmap(f.fileno(), 0) as m:
            sum(m[i] for i in range(0, len(m), 4096))
    os.stat(path)
    os.access(path, os.R_OK)
    os.rename(path, path + "2")
    os.unlink(path + "2")
    os.listdir(where)
    try:
        open(path + "-none")
    except FileNotFoundError:
        pass


def disk():
    """Requests that go to the disk at once."""
    fd = os.open(os.path.join(where, "direct"), os.O_RDWR | os.O_CREAT | os.O_DIRECT)
    page = mmap.mmap(-1, 65536)
    os.pwrite(fd, page, 0)
    os.preadv(fd, [page], 0)
    os.close(fd)
    page.close()


def write_behind():
    """Much that the kernel writes later, in neighbouring pieces."""
    with open(os.path.join(where, "behind"), "wb") as f:
        f.write(b"y" * (4 << 20))
        f.flush()
        libc.sync_file_range(f.fileno(), ctypes.c_long(0), ctypes.c_long(0), 2)
    libc.syncfs(directory)


def tcp():
    """A conversation, and a connection that nobody takes."""
    listener = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(listener.getsockname())
    server, _ = listener.accept()
    for _ in range(3):
        client.sendall(b"question")
        server.recv(100)
        server.sendall(b"answer" * 1000)
        client.recv(10000)
    client.close()
    server.close()
    port = listener.getsockname()[1]
    listener.close()
    refused = socket.socket()
    refused.connect_ex(("127.0.0.1", port))
    refused.close()


queue = []


def overflow():
    """A queue of connections that is full: the kernel asks again after a second."""
    if queue and time.monotonic() < queue[0] + 2:
        return
    queue[:] = [time.monotonic(), socket.create_server(("127.0.0.1", 0), backlog=0)]
    for _ in range(4):
        queue.append(socket.socket())
        queue[-1].setblocking(False)
        queue[-1].connect_ex(queue[1].getsockname())


def udp():
    """Datagrams, one of them to nobody."""
    a, b = socket.socket(type=socket.SOCK_DGRAM), socket.socket(type=socket.SOCK_DGRAM)
    b.bind(("127.0.0.1", 0))
    address = b.getsockname()
    a.sendto(b"hello", address)
    b.recvfrom(100)
    b.close()
    a.sendto(b"anybody?", address)
    a.close()


def unix():
    a, b = socket.socketpair()
    a.send(b"z" * 100)
    b.recv(100)
    a.close()
    b.close()


def processes():
    """Children that end in every way."""
    subprocess.run(["/bin/true"])
    try:
        subprocess.run([os.path.join(where, "no-program")])
    except OSError:
        pass
    child = os.fork()
    if not child:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        ctypes.string_at(8)
        os._exit(0)
    os.waitpid(child, 0)
    os.kill(os.getpid(), signal.SIGUSR1)


def memory():
    m = mmap.mmap(-1, 8 << 20)
    for i in range(0, len(m), 4096):
        m[i] = 1
    m.close()
    libc.sbrk.restype = ctypes.c_void_p
    libc.sbrk(ctypes.c_long(65536))
    libc.sbrk(ctypes.c_long(-65536))


def numbers(n):
    yield n


def python():
    """What Python itself has probes for."""
    g = numbers(1)
    next(g)
    g.close()
    gc.collect()
    sys.modules.pop("colorsys", None)
    __import__("colorsys")


def threads():
    """Threads that wait for each other, for a time, and for a CPU."""
    lock = threading.Lock()

    def work():
        for _ in range(20):
            with lock:
                time.sleep(0.0002)
            os.sched_yield()
        sum(range(20000))

    group = [threading.Thread(target=work) for _ in range(4)]
    for thread in group:
        thread.start()
    for thread in group:
        thread.join()


def writers():
    """Processes that write one file, and wait for its lock in the kernel."""
    path = os.path.join(where, "shared")
    group = [subprocess.Popen(["dd", "if=/dev/zero", "of=" + path, "bs=1M", "count=4", "conv=notrunc",
                               "status=none"]) for _ in range(3)]
    for process in group:
        process.wait()


signal.signal(signal.SIGTERM, end)
signal.signal(signal.SIGUSR1, lambda *_: None)
directory = os.open(where, os.O_RDONLY)
work = [files, disk, write_behind, tcp, overflow, udp, unix, processes, memory, python, threads, writers]
while not ended:
    for kind in list(work):
        try:
            kind()
        except OSError as error:
            print(kind.__name__, error, flush=True)
            work.remove(kind)
    print("round", flush=True)
    time.sleep(0.01)
