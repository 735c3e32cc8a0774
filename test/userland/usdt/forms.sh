# Every form of an argument: registers of each width and sign, memory,
# symbols, constants; and the types that args[] has.
. "$suite/lib.sh"
trace_trigger "" '
sites$1:::wide { printf("wide %x %x %x %x %x %x %x %x\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7); }
sites$1:::wide { printf("typed %d %d %d %d %d\n", args[0], args[1], args[2], args[3], args[4]); }
sites$1:::narrow { printf("narrow %x %d %x %x %d %x %d %d %x %x\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9); }
sites$1:::narrow { printf("sizes %d %d %d %d\n", sizeof(args[0]), sizeof(args[1]), sizeof(args[2]), sizeof(args[3])); }
sites$1:::memory { printf("memory %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7); }
sites$1:::memory { this->g = (int *)copyin(arg8, 16); printf("global %d %d\n", this->g[0], this->g[3]); }
sites$1:::segment { printf("segment %d %d\n", arg0 != 0, arg0 == arg1); }
sites$1:::constant { printf("constant %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7); }
' sites | grep -v '^$'
