# topsysproc, topsyscall: calls of a known program on a page, largest first, with their sum.
. "$suite/toolkit.sh"
cat > calls.py <<'Y'
import os
for _ in range(20000): os.getppid()
Y
name_of_its_own python3
tool topsysproc -n $me 3600 -- ./$me calls.py | unnamed python3 |
	awk '/PROCESS/ { print } /load average/ { all = $NF } $1 == "python3" { print $1, ($2 >= 20000 && $2 == all ? "all of them" : $2) }'
tool topsyscall -n $me 3600 -- ./$me calls.py |
	awk '/SYSCALL/ { print $1, $2; getline; print $1, $2 }'
echo "lines of a page: $(tool topsyscall -t 3 -n $me 3600 -- ./$me calls.py | grep -vc 'SYSCALL\|load\|Tracing')"
echo "so many pages: $("$dtrace" -s "$suite/../toolkit/topsyscall" 1 2 | grep -c SYSCALL) $("$dtrace" -s "$suite/../toolkit/topsysproc" 1 1 | grep -c PROCESS)"
