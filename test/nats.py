#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speaks plain NATS, as somebody would who means harm.

    nats.py HOST:PORT publish SUBJECT FILE      send the bytes of a file; print what the server says to it
    nats.py HOST:PORT flood SUBJECT HOST RUN ID MESSAGES    messages of 5,000 keys each that nobody counted
    nats.py HOST:PORT catch SUBJECT FILE SECONDS    what comes by, one message after another
    nats.py HOST:PORT repeat FILE TIMES         send that again

As NATS_USER with NATS_PASSWORD, if these are in the environment.
"""
import json, os, socket, struct, sys, time


class Connection:
    def __init__(self, where):
        host, port = where.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        self.file = self.socket.makefile("rb")
        self.file.readline()
        who = {"user": os.environ["NATS_USER"], "pass": os.environ["NATS_PASSWORD"]} if "NATS_USER" in os.environ else {}
        self.send(b"CONNECT " + json.dumps({"verbose": False, "pedantic": False, **who}).encode() + b"\r\n")
        self.ping()

    def send(self, data):
        self.socket.sendall(data)

    def ping(self):
        """What the server said until it has read everything."""
        said = []
        try:
            self.send(b"PING\r\n")
            while True:
                line = self.file.readline()
                if not line:
                    return said + ["(closed)"]
                if line.startswith(b"PONG"):
                    return said
                said.append(line.decode().strip())
        except OSError:
            return said + ["(closed)"]

    def publish(self, subject, data):
        """The server may close the connection while we still write."""
        try:
            self.send_message(subject, data)
        except OSError:
            pass

    def send_message(self, subject, data):
        self.send(b"PUB %s %d\r\n" % (subject.encode(), len(data)) + data + b"\r\n")


def number(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def text(value):
    return number(len(value)) + value


def part(kind, data):
    return bytes([kind]) + text(data)


def flooded(host, run, instrumentation, sequence, keys):
    """A message as fleet/message.h has it: count() by an integer."""
    second = int(time.time())
    name = lambda word: number(len(word) + 1) + word
    described = name(b"flood") + name(b"count") + number(0) * 4 + number(1) + number(1)
    described += number(0) + number(0) + number(0) + number(8) + name(b"long") + number(0)
    rows = b"".join(text(text(struct.pack("<Q", key + 1).rstrip(b"\0"))) + number(2) for key in keys)
    head = b"\x01" + text(host) + text(instrumentation) + number(run) + number(sequence) + number(0) + number(1)
    times = number(0) + number(second) + number(second * 10**9) + number(second * 10**9 + 1) + number(1)
    return head + part(1, described) + part(4, times + number(len(keys)) + rows)


def main():
    connection = Connection(sys.argv[1])
    what, *rest = sys.argv[2:]
    if what == "publish":
        connection.publish(rest[0], open(rest[1], "rb").read())
        print(*connection.ping(), sep="\n", end="")
    elif what == "flood":
        subject, host, run, instrumentation, messages = rest
        for i in range(int(messages)):
            connection.publish(subject, flooded(host.encode(), int(run), instrumentation.encode(), i,
                                                range(i * 5000, (i + 1) * 5000)))
        connection.ping()
    elif what == "catch":
        subject, file, seconds = rest
        connection.send(b"SUB %s 1\r\n" % subject.encode())
        until = time.time() + float(seconds)
        caught = []
        connection.socket.settimeout(0.2)
        buffer = b""
        while time.time() < until:
            try:
                buffer += connection.socket.recv(1 << 20)
            except TimeoutError:
                continue
            while b"\r\n" in buffer:
                line, after = buffer.split(b"\r\n", 1)
                if not line.startswith(b"MSG"):
                    buffer = after
                    continue
                words = line.split()
                n = int(words[-1])
                if len(after) < n + 2:
                    break
                caught.append((words[1].decode(), after[:n].hex()))
                buffer = after[n + 2:]
        json.dump(caught, open(file, "w"))
    elif what == "repeat":
        for _ in range(int(rest[1])):
            for subject, data in json.load(open(rest[0])):
                connection.publish(subject, bytes.fromhex(data))
        connection.ping()


main()
