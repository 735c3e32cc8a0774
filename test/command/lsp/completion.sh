# Completion: what the library offers comes with the range that it replaces, in a text that
# is not complete.
# @anykernel: nothing is enabled
python3 - <<'PYTHON'
import os, sys
sys.path.insert(0, os.environ["test"])
from client import Client, place

def look(client, text, wanted):
    """The cursor is at the bar."""
    client.open(text.replace("|", "", 1))
    client.text = text
    answer = client.at("completion", "|")
    items = {item["label"]: item for item in answer["items"]}
    print(text.replace("\n", " "), "-", "cut" if answer["isIncomplete"] else "whole")
    for label in wanted:
        item = items.get(label)
        print("   ", label, item and (place(item["textEdit"]["range"]), item["textEdit"]["newText"], item["kind"], item.get("detail"), item.get("documentation")))

with Client() as client:
    look(client, "sysc|", ["syscall", "io"])
    look(client, "syscall::rea|", ["read", "readv", "write"])
    look(client, "syscall::read:|", ["entry", "return"])
    look(client, "syscall::re|:entry { trace(1); }", ["read"])
    look(client, "BEGIN { tra|", ["trace", "tracemem", "exit"])
    look(client, "BEGIN { tra|(1); }", ["trace"])
    look(client, "BEGIN { trace(exec|", ["execname"])
    look(client, "io:::start { trace(args[0]->b_b|", ["b_bcount", "b_flags"])
    look(client, "BEGIN { trace(curthread->group_leader->com|); }", ["comm"])
    look(client, "BEGIN { self->begun = 1; }\nEND { trace(wrong(;  }\nEND { trace(self->|", ["begun"])
    look(client, "BEGIN { x = \"\U0001f600\"; @all[pid] = quan|", ["quantize"])
    look(client, "BEGIN { @calls = count(); }\nEND { printa(@|", ["calls"])
    look(client, "#pragma D option buf|", ["bufsize"])
    look(client, '#pragma D parameter every time = 5s "often"\nBEGIN { trace($ev|', ["every", "$every"])
    look(client, "BEGIN { /* tra| */ }", ["trace"])
    look(client, 'BEGIN { trace("tra|"); }', ["trace"])
PYTHON
