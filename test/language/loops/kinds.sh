# Loops run at every kind of probe: system calls, tracepoints, timers, functions of programs
# and their returns, USDT.
loop='{ this->n = 0; for (int i = 0; i < 10; i++) { if (i == 7) break; this->n += i; @turns[probeprov] = count(); } printf("%s %d\n", probeprov, this->n); }'
"$dtrace" -qn "
	syscall::getppid:entry /pid == \$target/ $loop
	rawtp:::sys_exit /pid == \$target && args[1] == \$target/ $loop
	pid\$target:libc.so.6:getppid:entry $loop
	pid\$target:libc.so.6:getppid:return $loop
	END { printa(\"%s %@d\n\", @turns); }" -c "python3 -c 'import os; os.getppid()'" | sed 's/^pid[0-9]*/pid/' | sort
"$dtrace" -qn "sites\$target:::wide $loop" -c "$triggers/sites now 1" | grep '^sites' | sed 's/^sites[0-9]*/sites/'
"$dtrace" -qn "profile:::tick-10ms $loop profile:::tick-10ms { exit(0); }"
# a list in the memory of a program
cat > list.py <<'P'
import ctypes
class Node(ctypes.Structure):
    pass
Node._fields_ = [("next", ctypes.POINTER(Node)), ("value", ctypes.c_int)]
nodes = [Node(value=7 * i) for i in range(5)]
for a, b in zip(nodes, nodes[1:]):
    a.next = ctypes.pointer(b)
ctypes.CDLL(None).getpriority(0x1234, ctypes.byref(nodes[0]))
P
cat > list.d <<'D'
struct list_node { userland struct list_node *next; int value; };
syscall::getpriority:entry /pid == $target && arg0 == 0x1234/
{
	for (userland struct list_node *n = (userland struct list_node *)arg1; n != NULL; n = n->next)
		printf("%d ", n->value);
}
D
# getpriority() takes an int: the pointer must fit
sed -i 's/getpriority(0x1234, /syscall(140, 0x1234, /' list.py
"$dtrace" -qs list.d -c 'python3 list.py'
