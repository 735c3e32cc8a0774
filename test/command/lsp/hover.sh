# Hover: names with their types, members, the arguments of the clause's probe, prototypes,
# macros, options; descriptions with their probes.  A text that is wrong elsewhere does
# not matter.
# @anykernel: nothing is enabled
python3 - <<'PYTHON'
import os, subprocess, sys
sys.path.insert(0, os.environ["test"])
from client import Client, place

with Client() as client:
    client.open("""#!/usr/sbin/dtrace -s
#pragma D option bufsize=4m, quiet
#pragma D parameter every time = 5s "how often"
#pragma D operand who string = "" "whom to look at"
inline int LIMIT = 5;
string names[int, string];
self int64_t started;
int64_t twice(int64_t n) { return n * 2; }
BEGIN { wrong = nosuch; }
syscall::read:entry /self->started < LIMIT/ { this->p = args[1]; this->size = args[2]; }
syscall::read:return { @spent[execname, pid] = quantize(timestamp - self->started); names[1, "a"] = probefunc; }
io:::start { this->dev = args[1]; trace(args[0]->b_bcount); trace(curthread->group_leader->comm); trace(this->dev->dev_statname); }
proc:::exec-success { trace(curpsinfo->pr_psargs); trace(twice(arg0)); trace(pid == $target); trace($who); int local = $1; trace(local); }
tick-$every { printa(@spent); trace(O_RDONLY); exit(0); }
pid$target:libc::entry { trace(uregs[0]); }
syscall::r*:entry { trace(1); }
nosuch:::probe { trace(1); }
END { trace(1 }
""")
    def hover(needle, plus=0):
        answer = client.at("hover", needle, plus)
        text = answer["contents"]["value"].strip().replace("```d\n", "").replace("\n```", "").replace("\n\n", "; ") if answer else "nothing"
        print(f"{needle}: {text.replace(chr(10), ', ')}" + (f" ({place(answer['range'])})" if answer else ""))
    for needle in ("bufsize", "quiet", "LIMIT/", "LIMIT", "names[1", "twice(arg0", "n * 2", "this->p", "args[1]; this->size", "this->size",
                   "@spent", "execname", "quantize", "timestamp", "probefunc", "args[1]; trace", "args[0]->b", "b_bcount", "curthread",
                   "group_leader", "comm", "dev_statname", "curpsinfo", "pr_psargs", "arg0)", "$target)", "$who", "$1", "local)", "$every",
                   "printa", "O_RDONLY", "exit", "uregs"):
        hover(needle, 1)
    hover("self->started <", 8)
    for needle in ("wrong", "nosuch;", "END"):
        hover(needle, 2)
    hover("int local")
    hover("{ wrong")
    for needle in ("io:::start", "syscall::read:entry", "syscall::read:return", "pid$target:libc", "nosuch:::", "BEGIN"):
        hover(needle, 1)
    # how many there are is what -l says
    count = len(subprocess.run([os.environ["dtrace"], "-ln", "syscall::r*:entry"], capture_output=True).stdout.splitlines()) - 1
    text = client.at("hover", "syscall::r*")["contents"]["value"]
    print("as many as listed" if f"{count} probes, the first is" in text else text)
    # every built-in name has a line
    for family in ("variables", "functions"):
        with open(f"{os.environ['suite']}/../src/builtin/{family}.def") as file:
            words = [word.split(")")[0] for line in file for word in line.split("(")[1:] if line.startswith(("VARIABLE", "FUNCTION"))]
        calls = "(" if family == "functions" else ""
        for word in words:
            if word.startswith("_"):
                continue
            client.open(f"BEGIN {{ {word}{calls and '()'}{'[0]' if word in ('args', 'uregs', 'vmregs') else ''}; }}")
            answer = client.at("hover", f"{{ {word}", 2)
            if not answer or "\n\n" not in answer["contents"]["value"]:
                print("nothing is said about", word, answer)
PYTHON
