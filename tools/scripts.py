#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doc/scripts.md: every script of the toolkit, the book and the talks, and what serves for it here.

    scripts.py           write doc/scripts.md from the tables of doc/toolkit/*.md
    scripts.py --check   fail if it would differ, or if a table says what is not so

The tables of doc/toolkit/ are the source: a row is one or more scripts, what they are about, and a
state that begins with one of

    here                 the command of that name is in toolkit/
    ported as `NAME`     other commands do it, each in backquotes, with options
    one-liner: `...`     a line of D does it
    commands of their own: NAME(8)
    not here: why
"""
import glob, os, re, sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(TOP, "doc", "scripts.md")
STATES = ("here", "ported as ", "one-liner: ", "commands of their own: ", "not here: ")

HEAD = """# All scripts, and what serves for them here

<!-- Made by tools/scripts.py from the tables of doc/toolkit/: do not edit. -->

Every script of the DTraceToolkit, of the DTrace book and of the talks by name. *here*: a command
of the same name is installed, with the options and columns that users know. Otherwise the table
names the commands that answer the same question, or says that a line of D does it, or that it makes
no sense on Linux; the page of the area has the line, or the reason. What the talks ask, and which
tool answers it, is in [toolkit/talks.md](toolkit/talks.md).

"""


def rows(path):
    """(names, what, state) of each row of the page's table of scripts."""
    with open(path) as page:
        lines = page.read().splitlines()
    if "| script | what | state |" not in lines:
        return
    for line in lines[lines.index("| script | what | state |") + 2:]:
        if not line.startswith("|"):
            break
        # a pipe within backquotes is no column
        cells = re.split(r" \| (?=(?:[^`]*`[^`]*`)*[^`]*$)", line.strip()[2:-2])
        yield cells[0].replace("`", "").split(", "), cells[1], cells[2]


def short(state):
    """What the index says."""
    if state.startswith("ported as "):
        return "ported as " + ", ".join(ports(state))
    for word in STATES:
        if state.startswith(word):
            return word.rstrip(": ")
    return state


def ports(state):
    """The commands in backquotes behind "ported as", up to the first word that is none."""
    listed = re.match(r"ported as ((?:`[^`]+`(?: \([^)]*\))?(?:, )?)+)", state)
    return re.findall(r"`[^`]+`", listed.group(1)) if listed else []


def main():
    tools = set(os.listdir(os.path.join(TOP, "toolkit")))
    table, wrong, seen = [], [], {}
    for path in sorted(glob.glob(os.path.join(TOP, "doc", "toolkit", "*.md"))):
        area = os.path.basename(path)
        for names, _, state in rows(path):
            if not state.startswith(STATES):
                wrong.append(f"{area}: {names[0]}: a state is not {state!r}")
            if state.startswith("ported as ") and not ports(state):
                wrong.append(f"{area}: {names[0]}: ported as what?")
            for port in ports(state):
                if port.strip("`").split()[0] not in tools:
                    wrong.append(f"{area}: {names[0]}: {port} is not in toolkit/")
            for name in names:
                if state.startswith("here") != (name in tools):
                    wrong.append(f"{area}: {name}: {'is not' if name not in tools else 'is'} in toolkit/")
                if seen.setdefault(name, area) != area:
                    wrong.append(f"{name} is in {seen[name]} and in {area}")
                table.append((name, short(state), area))
    for tool in sorted(tools - {name for name, _, _ in table}):
        wrong.append(f"{tool} is in toolkit/ and in no table of doc/toolkit/")
    with open(os.path.join(TOP, "doc", "toolkit", "talks.md")) as talks:
        for tool in re.findall(r"`([^`]+)`", talks.read()):
            if tool not in tools:
                wrong.append(f"talks.md: {tool} is not in toolkit/")
    page = HEAD + "| script | state | area |\n|---|---|---|\n" + "".join(
        f"| {name} | {state} | [{area[:-3]}](toolkit/{area}) |\n" for name, state, area in sorted(set(table)))
    kinds = {}
    for name, state, _ in set(table):
        kind = "ported" if state.startswith("ported") else state
        kinds[kind] = kinds.get(kind, 0) + 1
    page += "\n" + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda k: -k[1])) + ".\n"
    if "--check" in sys.argv:
        with open(PAGE) as old:
            if old.read() != page:
                wrong.append("doc/scripts.md is not what tools/scripts.py makes of doc/toolkit/")
    else:
        with open(PAGE, "w") as new:
            new.write(page)
    for line in wrong:
        print(line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
