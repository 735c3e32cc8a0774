# Arguments in registers and on the stack, what is returned, and recursion.
. "$suite/lib.sh"
trace_trigger "" '
pid$1:a.out:sum_of_ten:entry
{ printf("%d %d %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9); }
pid$1:a.out:sum_of_ten:return { printf("sum %d %d\n", arg1, arg0 > 0); }
pid$1:functions:factorial:entry { printf("-> %d\n", arg0); }
pid$1:functions:factorial:return { printf("<- %d\n", arg1); }
pid$1:a.out:greet:entry { self->from = ucaller; }
pid$1:a.out:greet:return { printf("%s\n", ucaller == self->from && self->from ? "caller" : "lost"); }
' functions | grep -v '^$'
