# A string that is not in memory yet is brought in, over two pages; a bad
# address is still a fault.
. "$suite/lib.sh"
# of a local file: guests have theirs from another machine
cp "$triggers/functions" . && triggers=.
trace_trigger "" '
pid$1::greet:entry { printf("%s\n", copyinstr(arg0)); }
pid$1::greet:entry { printf("%s\n", copyinstr(arg0 + 8, 3)); }
pid$1::greet:entry { this->p = (char *)copyin(arg0 + 6, 7); printf("%c%c\n", this->p[0], this->p[6]); }
pid$1::greet:entry { printf("%s\n", copyinstr(16)); }
ERROR { printf("fault %d at %x\n", arg4, arg5); }
pid$1::greet:return { printf("%d %s\n", arg1, probefunc); }
' functions 2>&1 | grep -v -e '^dtrace: error' -e '^$'
