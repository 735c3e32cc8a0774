# syscallbyproc.d, syscallbypid.d, syscallbysysc.d: the same calls counted in three ways.
. "$suite/toolkit.sh"
cat > calls.py <<'Y'
import os
for _ in range(300): os.getppid()
print(os.getpid())
Y
name_of_its_own python3
tool syscallbyproc.d -- ./$me calls.py |
	awk -v me=$me '/EXEC/ { print $1, $2 } $1 == me { print "python3", ($2 > 300 ? "more than 300" : $2) }'
tool syscallbypid.d -- ./$me calls.py > out
unnamed python3 < out | awk -v pid="$(cat command.out)" '/PID/ { print } $1 == pid && $3 == "getppid" { print $2, $3, $4 }'
tool syscallbysysc.d -- ./$me calls.py |
	awk '/SYSCALL/ { print $1, $2 } $1 == "getppid" { print $1, ($2 >= 300 ? "300 or more" : $2) }'
