# SPDX-License-Identifier: Apache-2.0
"""A client of the language server, for tests.

    from client import Client
    with Client() as client:
        client.open("BEGIN { trace(1 }")
        client.show(client.diagnostics())

Answers come in the order of requests, diagnostics when the server has read everything: a
client waits for those of the version that it sent last.
"""
import json, os, subprocess, sys

URI = "file:///tmp/program.d"


class Client:
    def __init__(self, encodings=None, command=None):
        self.server = subprocess.Popen(command or [os.environ["dtrace"], "--lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.version, self.id, self.text, self.published = 0, 0, "", {}
        general = {"positionEncodings": encodings} if encodings else {}
        self.capabilities = self.request("initialize", {"processId": os.getpid(), "rootUri": None,
                                                        "capabilities": {"general": general}})["capabilities"]
        self.notify("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.request("shutdown")
        self.notify("exit")
        self.server.stdin.close()
        rest = self.server.stdout.read()
        if rest:
            print("said after its end:", rest)
        status = self.server.wait()
        if status:
            print("status", status)

    def write(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def receive(self):
        """The next message; None: the server has ended."""
        length = None
        while (line := self.server.stdout.readline().strip()):
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        if length is None:
            return None
        return json.loads(self.server.stdout.read(length))

    def notify(self, method, params=None):
        self.send({"method": method, "params": params or {}})

    def answer(self, id):
        """What was said to a request; diagnostics that come before are kept."""
        while True:
            message = self.receive()
            if message is None:
                sys.exit("the server has ended")
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"].get("version")] = message["params"]["diagnostics"]
            elif message.get("id") == id:
                return message

    def ask(self, method, params=None):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params or {}})
        return self.answer(self.id)

    def request(self, method, params=None):
        message = self.ask(method, params)
        if "error" in message:
            sys.exit(f"{method}: {message['error']}")
        return message["result"]

    # ------------------------------------------------------------- documents

    def open(self, text, uri=URI):
        self.version += 1
        self.text = text
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "d", "version": self.version, "text": text}})

    def change(self, *changes, uri=URI):
        self.version += 1
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.version},
                                               "contentChanges": list(changes)})

    def close(self, uri=URI):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self):
        while self.version not in self.published:
            message = self.receive()
            if message is None:
                sys.exit("the server has ended")
            self.published[message["params"].get("version")] = message["params"]["diagnostics"]
        return self.published[self.version]

    def position(self, needle, plus=0):
        """Where a text first occurs, in UTF-16."""
        before = self.text[:self.text.index(needle) + plus]
        line = before.rpartition("\n")[2]
        return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}

    def at(self, method, needle, plus=0, uri=URI):
        return self.request("textDocument/" + method, {"textDocument": {"uri": uri}, "position": self.position(needle, plus)})


def place(range):
    start, end = range["start"], range["end"]
    return f"{start['line']}:{start['character']}-{end['line']}:{end['character']}"


SEVERITIES = {1: "error", 2: "warning", 3: "information"}


def show(diagnostics):
    for item in sorted(diagnostics, key=lambda item: (item["range"]["start"]["line"], item["range"]["start"]["character"])):
        print(place(item["range"]), SEVERITIES[item["severity"]], item["code"], item["message"].replace("\n", "\n\t"))
    if not diagnostics:
        print("nothing is wrong")
