# What a client sends may be anything: it is answered, refused or ignored, and the server
# is there afterwards.
# @anykernel: nothing is enabled
python3 - <<'PYTHON'
import json, os, random, subprocess, sys
sys.path.insert(0, os.environ["test"])
from client import Client, URI, show

def error(client, id=None):
    while (message := client.receive()).get("method"):
        pass
    print(message["id"], message["error"]["code"], message["error"]["message"])

with Client() as client:
    print("-- refused")
    client.send(b"{")
    error(client)
    client.send(b"")
    error(client)
    client.send(b"\xff\xfe\x00")
    error(client)
    client.send(b"[1, 2]")
    error(client)
    client.send(b"[" * 100000)
    error(client)
    client.send(b'{"a":' * 100000 + b"1" + b"}" * 100000)
    error(client)
    client.send({"id": [1], "method": "shutdown"})
    error(client)
    client.send({"id": 7, "method": "textDocument/rename", "params": {}})
    error(client)
    client.send({"id": "eight", "method": "no such", "params": None})
    error(client)
    client.send({"id": 9, "method": "initialize", "params": {}})
    error(client)
    client.send({"id": 10, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///not/open"}, "position": {"line": 0, "character": 0}}})
    error(client)
    client.send({"id": 11, "method": "textDocument/hover", "params": [1]})
    error(client)
    client.write(b"Content-Length: 70000000\r\n\r\n" + b" " * 70000000)
    error(client)
    print("-- ignored")
    client.write(b"\r\nnonsense\r\nContent-Length: -5\r\n\r\nContent-Length: 99999999999999999999999\r\n\r\nContent-Length: x\r\n\r\n" + b"y" * 10000 + b"\n")
    for message in ({"id": 5, "result": 3}, {"method": "$/cancelRequest", "params": {"id": 5}}, {"method": "no such"}, {"method": 5}, {},
                    {"method": "textDocument/didOpen"}, {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": 5, "text": "a"}}},
                    {"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///not/open"}, "contentChanges": [{"text": ""}]}},
                    {"method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///not/open"}}}):
        client.send(message)
    client.open("BEGIN { trace(1 }")
    for changes in ("x", 5, [5], [{"range": 5, "text": "x"}], [{"range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 1}}, "text": "x"}],
                    [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}, "text": 5}], [{"text": None}]):
        client.send({"method": "textDocument/didChange", "params": {"textDocument": {"uri": URI, "version": client.version}, "contentChanges": changes}})
    client.change()
    show(client.diagnostics())

    print("-- random texts")
    dice = random.Random(3)
    words = ["BEGIN", "{", "}", "(", ")", "/", ";", "self->x", "@a", "=", "count()", "args[0]", "->", "pid$target:::", "$1", '"', "'", "`", "#", "\n", "/*",
             "struct", "inline", "translator", "provider", "xlate", "<", ">", "\0", "\x7f", "\ud83d\ude00", "sizeof", "[", "]", ",", "0x", "999999999999999999999"]
    for _ in range(150):
        client.open("".join(dice.choices(words, k=dice.randint(0, 60))), "file:///tmp/%zz%41%00.d")
        line, character = dice.randint(0, 3), dice.randint(0, 80)
        for method in ("hover", "completion", "definition", "signatureHelp", "documentSymbol"):
            answer = client.ask("textDocument/" + method, {"textDocument": {"uri": "file:///tmp/%zz%41%00.d"}, "position": {"line": line, "character": character}})
            if "result" not in answer:
                print(method, answer)
    client.diagnostics()

    print("-- a deep and a long text")
    client.open("BEGIN { trace(" + "(" * 100000 + "1" + ")" * 100000 + "); }")
    print(len(client.diagnostics()), client.diagnostics()[0]["code"])
    client.open("BEGIN { trace(x" + " + x" * 3000 + "); x = 1; }\n" * 5 + "END { " + "trace(nosuch); " * 10000 + "}\n" + "END { trace(nosuch); }\n" * 1000)
    print(len(client.diagnostics()) <= 100, client.diagnostics()[0]["code"])

print("-- orders")
def run(*messages, cut=0):
    data = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in (json.dumps({"jsonrpc": "2.0", **m}).encode() for m in messages))
    done = subprocess.run([os.environ["dtrace"], "--lsp"], input=data[:len(data) - cut], capture_output=True)
    codes = [json.loads(part[part.index(b"{"):])["error"]["code"] for part in done.stdout.split(b"Content-Length")[1:] if b'"error"' in part]
    print(done.returncode, codes, done.stderr.decode())

begin, end, leave = {"id": 1, "method": "initialize", "params": {}}, {"id": 2, "method": "shutdown"}, {"method": "exit"}
run(begin, end, leave)
run(begin, leave)
run({"id": 1, "method": "textDocument/hover"}, leave)
run(begin, end, {"id": 3, "method": "textDocument/hover"}, leave)
run(begin, end, cut=5)
run()
PYTHON
