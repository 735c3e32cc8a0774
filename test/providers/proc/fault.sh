# A thread that does what it must not: the fault, its kind and its address.
cat > fault.py <<'X'
import ctypes
ctypes.string_at(0x1230)
X
"$dtrace" -qn '
	proc:::fault /pid == $target/ { printf("fault %d signal %d at %x\n", args[0], args[1]->si_signo, args[1]->si_addr); }
	proc:::exit /pid == $target/ { printf("%s\n", args[0] == CLD_EXITED ? "exited" : "killed"); }' \
	-c 'python3 fault.py'
