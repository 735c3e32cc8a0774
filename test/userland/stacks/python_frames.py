# Knows its own stacks: at every place it writes what the interpreter says, then
# calls getppid().  Not a test by itself: python.sh.
import json
import os
import re
import signal
import sys
import threading


def here():
    """The frames of the caller, innermost first, as dtrace shows them."""
    frame = sys._getframe(1)
    while frame:
        code = frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        expected.write(f"{name}({os.path.basename(code.co_filename)}:{frame.f_lineno})\n")
        frame = frame.f_back
    expected.write("--\n")
    expected.flush()


class Outer:
    class Inner:
        def method(self):
            here(), os.getppid()

    def recurse(self, depth):
        if depth:
            return self.recurse(depth - 1)
        return here(), os.getppid()

    def generate(self):
        for _ in range(2):
            yield (here(), os.getppid())

    def __enter__(self):
        return here(), os.getppid()

    def __exit__(self, *_):
        here(), os.getppid()

    def __getattr__(self, name):
        return here(), os.getppid()


def key(value):
    if value == 3:
        here(), os.getppid()
    return value


def replace(match):
    here(), os.getppid()
    return "b"


def hook(pairs):
    here(), os.getppid()
    return pairs


def größe():
    here(), os.getppid()


def on_signal(number, frame):
    here(), os.getppid()


# Many instructions before the call, on lines of their own.
exec(compile("def far():\n" + "".join(f"    x{i} = {i}\n" for i in range(240)) +
             "    here(), os.getppid()\n", "far.py", "exec"))


def places():
    outer = Outer()
    Outer.Inner().method()
    outer.recurse(30)
    list(outer.generate())
    sum(len(pair) for pair in outer.generate())
    with outer:
        here(), os.getppid()
    outer.absent
    sorted([1, 2, 3], key=key)
    re.sub("a", replace, "xax")
    json.loads('{"a": 1}', object_hook=hook)
    (lambda: (here(), os.getppid()))()
    [here() or os.getppid() for _ in range(2)]
    größe()
    far()
    os.kill(os.getpid(), signal.SIGUSR2)
    try:
        raise ValueError
    except ValueError:
        here(), os.getppid()
    finally:
        outer.recurse(2)
    exec("here(), os.getppid()")


expected = open(sys.argv[1], "w", encoding="utf-8")
signal.signal(signal.SIGUSR2, on_signal)
if len(sys.argv) > 2:
    # traced when it has run for a while
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    signal.sigwait([signal.SIGUSR1])
places()
threads = threading.Thread(target=places)
threads.start()
threads.join()
