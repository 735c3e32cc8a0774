# Diagnostics of the language server: errors of several kinds in one text, at their
# places and with their hints; what is about the machine is a warning, and what depends on
# a process or an operand is nothing at all.
# @anykernel: nothing is enabled
python3 - <<'PYTHON'
import os, sys
sys.path.insert(0, os.environ["test"])
from client import Client, show

with Client() as client:
    def look(title, text, uri="file:///tmp/program.d"):
        print("--", title)
        client.open(text, uri)
        show(client.diagnostics())

    look("many", """#!/usr/sbin/dtrace -s
inline int LIMIT = 5;
int64_t half(int64_t n) { return n / nosuch; }
BEGIN { self->x = 1; trace(LIMTI); }
BEGIN { trace(1 }
BEGIN /self->x/ { trace(curthread->nosuch); }
tick-1s { trace(args[1]); strlen(); }
END { "not closed
}
#pragma D option nosuch
BEGIN { @a = count(); @a = sum(1); }
BEGIN { x = 1; x = "text"; }
""")
    look("what the machine lacks", """
nosuch:::probe { trace(args[0]->member); }
syscall::raed:entry { trace(1); }
pid999999999:libc::entry { trace(1); }
""")
    look("what nobody can know yet", """
#pragma D parameter every time "how often"
#pragma D parameter process pid = 0 "of whom"
pid$target:libc.so.6:malloc:entry { trace(args[0]); }
pid$target::nosuch:return /arg1 == $1/ { printf("%s", $2); }
pid$process:::entry { trace(arg0); }
tick-$every, profile-$1 { trace($$3); }
proc:::exec /pid == $target/ { trace(args[0]); }
""")
    look("nothing", "")
    look("nothing but a comment", "/* later */\n")
    look("everything", "}}}} {{{ ))) ;;; BEGIN { BEGIN { BEGIN {")
    look("options of the first line",
         "#!/usr/sbin/dtrace -Zqs\nnosuch:::probe { trace(1); }\n")
    look("what an option of the first line may not do",
         "#!/usr/sbin/dtrace -x cpppath=/bin/false -Cs\n#define ONE 1\nBEGIN { trace(ONE); }\n")
    with open("included.h", "w") as file:
        file.write("#define TWO 2\nint fine;\n")
    with open("wrong.h", "w") as file:
        file.write("int one two;\n")
    here = "file://" + os.getcwd() + "/a%20program.d"
    look("the preprocessor", """#!/usr/sbin/dtrace -C -s
#include "included.h"
BEGIN { fine = TWO; }
\tBEGIN { trace(TWO + nosuch); }
""", here)
    text = '#!/usr/sbin/dtrace -C -s\n#include "wrong.h"\nBEGIN { trace(1); }\n'
    client.open(text, here)
    for item in client.diagnostics():
        print(item["range"]["start"]["line"], item["message"].replace(os.getcwd(), "."))
    # what was said about a closed text is taken back
    client.close(here)
    client.version = None
    client.published.pop(None, None)
    print(client.diagnostics())
PYTHON
