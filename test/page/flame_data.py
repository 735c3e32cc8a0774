# SPDX-License-Identifier: Apache-2.0
"""Data of flame graphs as the page reads them, made of folded stacks.

A second writer, independent of the one in C.
"""
import base64, collections, json, os, subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KINDS = {"kernel": 0, "user": 1, "script": 2, "inlined": 3, "key": 4}


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def as_frame(frame):
    """"name", or (name, object, kind)"""
    return frame if isinstance(frame, tuple) else (frame, "", "user")


def preorder(stacks):
    """(frame, levels up from the one before, before, after) of {(frame, ...): after or (before, after)}"""
    last = ()
    for stack, weight in sorted((tuple(map(as_frame, stack)), weight) for stack, weight in stacks.items()):
        common = 0
        while common < len(last) and last[common] == stack[common]:
            common += 1
        before, after = weight if isinstance(weight, tuple) else (0, weight)
        up = len(last) - common
        for frame in stack[common:-1]:
            yield frame, up, 0, 0
            up = 0
        yield stack[-1], up, before, after
        last = stack


def flame(stacks, title="", subtitle="", unit="samples", notes=()):
    nodes = list(preorder(stacks))
    is_difference = any(isinstance(weight, tuple) for weight in stacks.values())
    uses = collections.Counter(frame for frame, *_ in nodes)
    numbers = {frame: number for number, (frame, _) in enumerate(uses.most_common())}
    strings = {}
    frames, out = bytearray(), bytearray()
    for name, owner, kind in numbers:
        frames += varint(strings.setdefault(name, len(strings)))
        frames += varint(strings.setdefault(owner, len(strings)) + 1 if owner else 0) + varint(KINDS[kind])
    for frame, up, before, after in nodes:
        is_special = up or before or after
        out += varint(numbers[frame] << 1 | bool(is_special))
        if is_special:
            out += varint(up) + varint(after) + (varint(before) if is_difference else b"")
    return {"format": 1, "picture": "flame", "title": title, "subtitle": subtitle, "unit": unit,
            "countBefore": int(is_difference), "strings": list(strings), "frames": base64.b64encode(frames).decode(),
            "nodes": base64.b64encode(out).decode(), "notes": list(notes)}


def page(data, injected=""):
    """The file around the data, as the commands write it; `injected` gets into its body."""
    text = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    html = subprocess.run([f"{TOP}/build/page/write_page", "flame", data["title"]], input=text.encode(), capture_output=True, check=True).stdout.decode()
    return html.replace("<body>", "<body>" + injected, 1)
