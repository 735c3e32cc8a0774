#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Throw damaged requests at a dtlive: damaged.py PORT TOKEN SECONDS.  The same ones every time."""
import random, socket, sys, time

port, token, seconds = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
chance = random.Random(1)
HEAD = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
BODY = '{"program":"BEGIN {}","options":{"strsize":"7"},"pid":1}'
WHOLE = [
    f"GET /api/1/status HTTP/1.1\r\n{HEAD}\r\n",
    f"GET /api/1/instrumentations/1/heatmap?set=0&from=1&to=2&keys=1,2&low=3 HTTP/1.1\r\n{HEAD}\r\n",
    f"POST /api/1/generate HTTP/1.1\r\n{HEAD}Content-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n{BODY}",
    f"POST /api/1/check HTTP/1.1\r\n{HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{len(BODY):x}\r\n{BODY}\r\n0\r\n\r\n",
    f"GET /?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: dtlive_{port}={token}; a=\"b\r\n\r\n",
]
PIECES = [b"\0", b"\r\n", b"\xff\xfe", b"%00", b"%", b"%zz", b"..", b":", b" ", b"9" * 30, b"-1", b"A" * 5000, b"{" * 300, b"\r\n\r\n", b"HTTP/9.9", b"chunked", b"&=&"]


def damaged():
    request = bytearray(chance.choice(WHOLE).encode())
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(request))
        kind = chance.randrange(4)
        if kind == 0:
            request[at] = chance.randrange(256)
        elif kind == 1:
            request[at:at] = chance.choice(PIECES)
        elif kind == 2:
            del request[at:at + chance.randint(1, 40)]
        elif len(request) > 2:
            request = request[:max(1, at)]
        if not request:
            break
    return bytes(request)


count, answered, end = 0, 0, time.monotonic() + seconds
while time.monotonic() < end:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        try:
            client.sendall(damaged())
            client.shutdown(socket.SHUT_WR)     # no more will come
            client.settimeout(0.2)
            answered += client.recv(4096).startswith(b"HTTP/1.1 ")
        except (TimeoutError, ConnectionError, BrokenPipeError):
            pass
    count += 1
print(f"{count} requests, {answered} answers", file=sys.stderr)
print("some were answered, most were not what they should be" if answered > 10 and count > 20 else f"only {count} requests, {answered} answers")
