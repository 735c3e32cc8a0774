#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The environment of tests, the same however they are started.

    surroundings.py [NAME=VALUE...] COMMAND [ARGUMENT...]

Signals, limits, environment, umask, priority, CPUs, standard input and the files
of debug packages are inherited from a user's shell, from cron, from a container,
and change what programs do: a shell that puts `make check` into the background
makes it ignore SIGINT, and then no tracer that a test interrupts would end.

So a harness calls settle() first; what it starts inherits the known values below.
As a command, this sets them and executes another one.  test/project/harness/ shows that
they are as written here.

Without the right to it (not root) a limit or a priority stays what it was.
"""
import contextlib, ctypes, os, pwd, resource, shutil, signal, subprocess, sys

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PASSED_ON = ["DTRACE_TEST_GUEST"]       # which guest.py sets
UMASK = 0o022

ANY = resource.RLIM_INFINITY
LIMITS = {      # soft, and at most hard: what every machine grants, and what few programs ask for
    "AS": (ANY, ANY), "CORE": (0, ANY), "CPU": (ANY, ANY), "DATA": (ANY, ANY), "FSIZE": (ANY, ANY), "MEMLOCK": (8 << 20, 8 << 20),
    "MSGQUEUE": (819200, 819200), "NICE": (0, 0), "NOFILE": (1024, 4096), "RSS": (ANY, ANY), "RTPRIO": (0, 0), "STACK": (8 << 20, ANY),
}

DEBUG_DIRECTORY = "/usr/lib/debug"
DEBUG_PACKAGE = "libc6-dbg"

SYS_RT_SIGACTION = 13    # x86-64
CLONE_NEWNS, MS_BIND, MS_REC, MS_PRIVATE = 0x20000, 0x1000, 0x4000, 1 << 18
NOT_ALLOWED = contextlib.suppress(PermissionError, ValueError)
libc = ctypes.CDLL(None, use_errno=True)


def environment():
    user = pwd.getpwuid(os.geteuid())
    known = {"PATH": PATH, "HOME": user.pw_dir, "USER": user.pw_name, "LOGNAME": user.pw_name, "SHELL": "/bin/sh",
             "LANG": "C", "LC_ALL": "C", "TZ": "UTC", "TERM": "dumb"}
    known.update((name, os.environ[name]) for name in PASSED_ON if name in os.environ)
    return known


def everything_but_signals():
    known = environment()
    os.environ.clear()
    os.environ.update(known)
    os.umask(UMASK)
    for name, (soft, most) in LIMITS.items():
        limit = getattr(resource, "RLIMIT_" + name)
        for hard in (most, resource.getrlimit(limit)[1]):       # as it is, where it cannot be raised
            with NOT_ALLOWED:
                resource.setrlimit(limit, (soft, hard))
                break
    with NOT_ALLOWED:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    with NOT_ALLOWED:
        os.setpriority(os.PRIO_PROCESS, 0, 0)
    with NOT_ALLOWED:
        os.sched_setaffinity(0, range(os.sysconf("SC_NPROCESSORS_CONF")))
    with NOT_ALLOWED, open("/proc/self/oom_score_adj", "w") as file:
        file.write("0")
    libc.personality(0)         # setarch(8)
    while True:                 # also where a standard stream is closed
        null = os.open(os.devnull, os.O_RDWR)
        if null > 2:
            break
        os.set_inheritable(null, True)
    os.dup2(null, 0)
    os.close(null)


def catchable():
    return signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}


def reset_inner_signals():
    """Two are the C library's own.  It does not let programs change them, and children of posix_spawn(3), such as those of make(1), ignore them."""
    for number in (32, 33):
        libc.syscall(SYS_RT_SIGACTION, number, bytes(32), None, 8)


def settle(starts="tests"):
    """For a harness.  What it ignores (nohup) it still ignores, by handlers that do nothing: these end with execve(2),
    so that all that it starts has the default of every signal.  One that starts other harnesses leaves that to them."""
    everything_but_signals()
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)       # ignored, no child has a status
    reset_inner_signals()
    if starts == "harnesses":
        return
    for number in catchable() - {signal.SIGPIPE, signal.SIGXFSZ}:      # Python's own, which subprocess knows
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def call(function, *arguments):
    if function(*arguments):
        error = ctypes.get_errno()
        raise OSError(error, f"{function.__name__}: {os.strerror(error)}")


def show_debug_files(which, scratch):
    """From now on this process and its children see no debug package, or ("libc") that of the C library alone.
    They also have mounts of their own, which end with them."""
    if os.geteuid():
        return
    call(libc.unshare, CLONE_NEWNS)
    call(libc.mount, b"none", b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None)
    if which == "libc":
        listed = subprocess.run(["dpkg", "-L", DEBUG_PACKAGE], capture_output=True, text=True).stdout
        files = [path for path in listed.split() if path.startswith(DEBUG_DIRECTORY) and os.path.isfile(path)]
        if not files:
            sys.exit(f"{DEBUG_PACKAGE} is not installed: make test-deps")
        for path in files:
            copy = scratch + path[len(DEBUG_DIRECTORY):]
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copyfile(path, copy)
    if os.path.isdir(DEBUG_DIRECTORY):
        call(libc.mount, scratch.encode(), DEBUG_DIRECTORY.encode(), None, ctypes.c_ulong(MS_BIND), None)


def main():
    words = sys.argv[1:]
    everything_but_signals()
    while words and "=" in words[0]:
        name, value = words.pop(0).split("=", 1)
        os.environ[name] = value
    if not words:
        sys.exit(__doc__.strip())
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in catchable():
        signal.signal(number, signal.SIG_DFL)
    reset_inner_signals()
    os.execvp(words[0], words)


if __name__ == "__main__":
    main()
