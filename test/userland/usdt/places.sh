# Sites of one probe may have their arguments in different places; the same
# names in another function are another probe.
. "$suite/lib.sh"
trace_trigger "" '
sites$1:a.out:twice:two-places { printf("%s %d %d %d\n", probefunc, arg0, arg1, arg2); }
sites$1:sites::two__places { printf("%s:%s %d\n", probefunc, probename, arg0); }
sites$1::elsewhere: { printf("only %d %d\n", arg0, arg1); }
' sites | grep -v '^$'
