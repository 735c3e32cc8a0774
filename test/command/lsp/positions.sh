# Positions are counted in UTF-16 unless the client can do UTF-8; what is not ASCII may
# stand before a word, in a comment or a string, in lines that end in \r\n.
# @anykernel: nothing is enabled
python3 - <<'PYTHON'
import os, sys
sys.path.insert(0, os.environ["test"])
from client import Client, URI, place, show

text = 'BEGIN { trace("ä€😀"); /* 😀 */ trace(nosuch); }\r\nEND { x = "Ω"; trace(x); }\r\n'
for encodings in (None, ["utf-16"], ["utf-32", "utf-8"]):
    with Client(encodings) as client:
        print(client.capabilities["positionEncoding"])
        client.open(text)
        show(client.diagnostics())
        if client.capabilities["positionEncoding"] == "utf-8":
            client.position = lambda needle, plus=0: {
                "line": text[:text.index(needle)].count("\n"),
                "character": len(text[:text.index(needle) + plus].rpartition("\n")[2].encode())}
        for needle in ("trace(nosuch", "trace(x", "x);"):
            hover = client.at("hover", needle, 1)
            print(needle, place(hover["range"]), hover["contents"]["value"].split("\n")[1])
        where = client.at("definition", "x);")
        print("definition", place(where["range"]))
        # an edit behind such characters: nosuch becomes pid
        start = client.position("nosuch")
        end = client.position("nosuch", 6)
        client.change({"range": {"start": start, "end": end}, "text": "pid"})
        show(client.diagnostics())

with Client() as client:
    client.open(text)
    # behind the end of a line, in the middle of a pair, behind the end of the text
    for line, character in ((0, 10**9), (0, 18), (10**9, 0), (2**40, 2**40), (1, 0)):
        answer = client.ask("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
        print(line, character, answer["result"] and answer["result"]["contents"]["value"].split("\n")[1])
    for position in ({"line": -1, "character": 0}, {"line": "1", "character": 0}, {}, None, [1, 2]):
        answer = client.ask("textDocument/hover", {"textDocument": {"uri": URI}, "position": position})
        print(position, answer["error"]["code"])
PYTHON
