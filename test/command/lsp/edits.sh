# Incremental edits end in the same diagnostics as a text that is opened whole; those of
# versions that have been replaced need not come.
# @anykernel: nothing is enabled
python3 - <<'PYTHON'
import os, random, sys
sys.path.insert(0, os.environ["test"])
from client import Client

PIECES = ["BEGIN { trace(1); }\n", "END\n{\n\tx = 1;\n}\n", "{", "}", "(", ")", ";", "\n", "ä", "\U0001f600", '"', "/* € */", "trace(x);", "self->y = 2;",
          "syscall::read:entry { @a = count(); }\n", "/self->y/", "nosuch", "\r\n", "\t", "#pragma D option quiet\n", "\0"]

def units(text):
    return len(text.encode("utf-16-le")) // 2

def position(text, offset):
    before = text[:offset]
    return {"line": before.count("\n"), "character": units(before.rpartition("\n")[2])}

def edit(random, text):
    """A change, and the text after it."""
    start = random.randint(0, len(text))
    end = min(len(text), start + random.choice([0, 0, 1, 3, 40]))
    # positions are not between \r and \n: the end of a line is before both
    new = "".join(random.choices(PIECES, k=random.choice([0, 1, 1, 2, 5])))
    change = {"range": {"start": position(text, start), "end": position(text, end)}, "text": new}
    return change, text[:start] + new + text[end:]

told = 0
with Client() as edited, Client() as whole:
    for seed in range(12):
        dice = random.Random(seed)
        text = "".join(dice.choices(PIECES, k=20))
        edited.open(text)
        for step in range(15):
            changes = []
            for _ in range(dice.choice([1, 1, 2, 4])):
                change, text = edit(dice, text)
                changes.append(change)
            if dice.random() < 0.1:
                changes, text = [{"text": text}], text
            edited.change(*changes)
        whole.open(text)
        mine, its = edited.diagnostics(), whole.diagnostics()
        told += len(its)
        if mine != its:
            print("seed", seed, repr(text), mine, its)
print("the same" if told > 50 else f"only {told} diagnostics")
PYTHON
