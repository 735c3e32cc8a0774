#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the curl commands of doc/live-api.md, and compare the answers with the text, in shape.

    manual.py [--write] DOCUMENT ROUTES LIVE_SOURCES

$live and $token are in the environment.  In ```console blocks a line `$ curl ...` is a
command; what follows is its answer.  If that is JSON, both must have the same members, of
the same types; a member may be null in one of them, and a list empty.  Else the first word
must be the same.  What an instrumentation reports comes with time: reading is tried again.

`event: NAME` with `data: JSON` in ```text blocks are compared with events that came meanwhile.
Each route and each code of an error must be in the document.

--write puts what came into the document, shortened.
"""
import glob, json, os, re, subprocess, sys, threading, time

LONG = 90       # seconds for what comes with time
KINDS = {dict: "object", list: "list", str: "text", bool: "boolean", type(None): "null", int: "number", float: "number"}


def differs(said, came, path=""):
    """Where they have another shape, or None."""
    kinds = KINDS[type(said)], KINDS[type(came)]
    if "null" in kinds:
        return None
    if kinds[0] != kinds[1]:
        return f"{path or '.'} is a {kinds[1]}, not a {kinds[0]}"
    if kinds[0] == "object":
        if all(name.isdigit() for name in [*said, *came]):      # members by number
            said, came = list(said.values()), list(came.values())
        else:
            for name in {*said, *came}:
                if name not in came:
                    return f"{path}.{name} did not come"
                if name not in said:
                    return f"{path}.{name} is not in the document"
                if wrong := differs(said[name], came[name], f"{path}.{name}"):
                    return wrong
            return None
    if isinstance(said, list):
        if any(isinstance(one, dict) for one in said) and not came:
            return f"{path} is empty"
        # each that came is like one of those that are shown
        for one in came if said else []:
            wrongs = [differs(shown, one, path + "[]") for shown in said]
            if all(wrongs):
                return wrongs[0]
    return None


def paths(value, path=""):
    """All members in it, by name."""
    found = {path}
    for name, member in value.items() if isinstance(value, dict) else [("[]", one) for one in value] if isinstance(value, list) else []:
        found |= paths(member, f"{path}.{name}")
    return found


def shortened(value, path=""):
    if isinstance(value, dict):
        if all(name.isdigit() for name in value):
            value = dict(list(value.items())[:1])
        return {name: shortened(member, name) for name, member in value.items()}
    if isinstance(value, list):
        if path not in ("sets", "columns") and value and all(isinstance(one, dict) for one in value):     # one of each form, with the most in it
            forms = {}
            for one in sorted(value, key=lambda one: -len(paths(one))):
                forms.setdefault(frozenset(one), one)
            value = list(forms.values())
        keep = 2 if path in ("sets", "columns", "fields") else 1 if value and all(isinstance(one, (dict, list)) for one in value) else 8
        return [shortened(one, path) for one in value[:keep]]
    if isinstance(value, str) and len(value) > 90:
        return value[:87] + "..."
    return value


def lines_of(value, indent=""):
    """JSON in lines of at most 92 characters."""
    whole = json.dumps(value, ensure_ascii=False)
    if len(indent + whole) <= 92 or not isinstance(value, (dict, list)) or not value:
        return [whole]
    inner, found, line = indent + " ", [], ""
    parts = [(json.dumps(name) + ": ", member) for name, member in value.items()] if isinstance(value, dict) else [("", one) for one in value]
    for i, (name, member) in enumerate(parts):
        comma = "," if i < len(parts) - 1 else ""
        text = lines_of(member, inner)
        text[0] = name + text[0]
        text[-1] += comma
        if len(text) == 1 and line and len(inner + line + " " + text[0]) <= 92:
            line += " " + text[0]
            continue
        if line:
            found.append(line)
        found, line = (found, text[0]) if len(text) == 1 else (found + text, "")
    found += [line] if line else []
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return [opening + found[0], *[" " + one for one in found[1:-1]], *([" " + found[-1] + closing] if len(found) > 1 else [])] if len(found) > 1 else [opening + found[0] + closing]


def parse(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


class Listener(threading.Thread):
    """All events since the beginning."""

    def __init__(self):
        super().__init__(daemon=True)
        self.events = {}
        self.curl = subprocess.Popen(["curl", "-sN", "-H", os.environ["token"], os.environ["live"] + "/events"], stdout=subprocess.PIPE, text=True)
        self.start()

    def run(self):
        name = ""
        for line in self.curl.stdout:
            if line.startswith("event: "):
                name = line[7:].strip()
            elif line.startswith("data: "):
                self.events.setdefault(name, []).append(json.loads(line[6:]))


def run(command, said, patience):
    """(what came, what is wrong with it)"""
    is_reading = not re.search(r" -X | -d ", command)
    deadline = time.monotonic() + (patience if is_reading else 0)
    while True:
        came = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace").stdout
        expected, got = parse(said), parse(came)
        if expected is not None and got is not None:
            wrong = differs(expected, got)
        else:
            wrong = None if said.split()[:1] == came.split()[:1] and (expected is None) == (got is None) else "another answer"
        if not wrong or time.monotonic() > deadline:
            return came, wrong
        time.sleep(0.3)


def main():
    is_writing = sys.argv[1] == "--write"
    document, routes, sources = sys.argv[1 + is_writing:]
    with open(document) as file:
        text = file.read()
    listener, wrongs, commands = Listener(), [], []

    def block(match):
        now = []
        for part in re.split(r"(?m)^\$ ", match[1])[1:]:
            lines = part.splitlines()
            n = 1
            while lines[n - 1].endswith("\\"):
                n += 1
            command, said = "\n".join(lines[:n]), "\n".join(lines[n:])
            commands.append(command)
            came, wrong = run(command, said, 0 if is_writing else LONG)
            if is_writing and "starting" in came:
                time.sleep(4)
            if wrong and not is_writing:
                wrongs.append(f"$ {command}\n{wrong}; it was\n{came[:2000]}")
            if is_writing:
                answer = parse(came)
                said = said if answer is None and said else "\n".join(lines_of(shortened(answer)) if answer is not None else came.splitlines()[:6])
            now.append(f"$ {command}\n{said}\n")
        return "```console\n" + "".join(now) + "```\n"
    new = re.sub(r"(?ms)^```console\n(.*?)^```\n", block, text)
    # metrics are tried one after the other, which takes its time
    wanted = {*re.findall(r"(?m)^event: (\w+)$", text)} - {"message"}
    deadline = time.monotonic() + LONG
    while wanted - {*listener.events} and time.monotonic() < deadline:
        time.sleep(0.3)
    listener.curl.terminate()
    shown = set()

    def event(match):
        name = match[1]
        shown.add(name)
        came = listener.events.get(name)
        said = parse(match[2])
        if name == "message" and not came:      # if there is something to say
            return match[0]
        if not came:
            wrongs.append(f"no event {name}")
        elif is_writing:
            said = max(came, key=lambda one: len(paths(one)))
        elif all(found := [differs(said, one, name) for one in came]):
            wrongs.append(f"event {name}: {found[0]}")
        return f"event: {name}\ndata: " + (json.dumps(shortened(said)) if is_writing else match[2]) + "\n"
    new = re.sub(r"(?m)^event: (\w+)\ndata: (.*)\n", event, new)
    wrongs += [f"event {name} is not in the document" for name in sorted({*listener.events} - shown)]
    with open(routes) as file:
        table = re.findall(r'\{ "(\w+)", (?:(API|ONE) )?"?([^",]*)', file.read())
    for method, kind, rest in table:
        if not kind:
            continue
        path = ("/instrumentations/#" if kind == "ONE" else "/") + rest.lstrip(",")
        pattern = re.escape("$live" + path.strip()).replace(r"\#", r"\d+") + r"(?![\w/])"
        if not any(re.search(pattern, command) and (re.search(r"-X (\w+)", command) or [0, "POST" if " -d " in command else "GET"])[1] == method for command in commands):
            wrongs.append(f"no example of {method} {path}")
    codes = set()
    for path in glob.glob(sources + "/*.c"):
        if not path.endswith("_test.c"):
            with open(path) as file:
                codes.update(re.findall(r'(?:reply_error\(\w+, \d+,\s*|error_json\(\s*|metric_refuse\(\s*\w+,\s*)"([a-z_]+)"|\\"code\\":\\"(\w+)\\"', file.read()))
    for code in sorted(one or other for one, other in codes):
        if code != "internal" and f"`{code}`" not in text:
            wrongs.append(f"the code {code} is not in the document")
    if is_writing:
        with open(document, "w") as file:
            file.write(new)
    for wrong in wrongs:
        print(wrong + "\n")
    print(f"{len(commands)} commands" if len(commands) > 20 else "too few commands")
    return bool(wrongs)


if __name__ == "__main__":
    sys.exit(main())
