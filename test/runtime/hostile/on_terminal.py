# SPDX-License-Identifier: Apache-2.0
"""Run a command on a terminal of its own; print what that was sent, without carriage returns."""
import os, pty, sys

pid, terminal = pty.fork()
if not pid:
    os.execvp(sys.argv[1], sys.argv[1:])
sent = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    sent += part
os.waitpid(pid, 0)
sys.stdout.buffer.write(sent.replace(b"\r\n", b"\n"))
