# Notes of a hostile process: names that would write to the terminal of root are left out,
# sizes that do not fit, too; the others are as good as ever, also after the file has
# been cut off.
# @anykernel: notes are read in user space
. "$suite/lib.sh"
cat > hostile.py <<'PYTHON'
import mmap, os, signal, struct, sys

def note(provider, name, arguments, place=0x1000, namesz=8, extra=b""):
    body = struct.pack("<QQQ", place, 0, 0) + provider + b"\0" + name + b"\0" + arguments + b"\0" + extra
    return struct.pack("<III", namesz, len(body), 3) + b"stapsdt\0" + body + b"\0" * (-len(body) % 4)

notes = b"".join((
    note(b"hostile", b"plain", b"4@$7"),
    note(b"hostile", b"new\nline", b"4@$1"),
    note(b"hostile", b"\x1b[31mred\x07", b"4@$1"),
    note(b"hos\ntile", b"name", b"4@$1"),
    note(b"hostile", b"a:b", b"4@$1"),
    note(b"hostile", b"glob*[?]", b"4@$1"),
    note(b"hostile", b"\xff\xfe", b"4@$1"),
    note(b"hostile", b"n" * 3000, b"4@$1"),
    note(b"p" * 3000, b"long", b"4@$1"),
    note(b"hostile", b"arguments", b"4@$1 " * 5000),
    note(b"hostile", b"nonsense", b"99@%xyz -4@@@ 8@18446744073709551616(%rip) \x1b@"),
    note(b"hostile", b"outside", b"4@$1", place=0x7fffffffffff),
    note(b"hostile", b"", b"4@$1"),
    struct.pack("<III", 8, 0xfffffff0, 3) + b"stapsdt\0",
))
names = b"\0.shstrtab\0.note.stapsdt\0"
code = 0x1000
at = 0x2000
table = (at + len(notes) + len(names) + 7) & ~7
header = b"\x7fELF\x02\x01\x01" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, table, 0, 64, 56, 1, 64, 3, 2)
load = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 0x2000, 0x2000, 0x1000)
section = lambda name, kind, place, size: struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, place, size, 0, 0, 1, 0)
data = (header + load).ljust(code, b"\0") + b"\x90\xc3".ljust(0x1000, b"\0") + notes + names
data = data.ljust(table, b"\0") + section(0, 0, 0, 0) + section(11, 7, at, len(notes)) + section(1, 3, at + len(notes), len(names))
path = sys.argv[1]
with open(path, "wb") as file:
    file.write(data)
fd = os.open(path, os.O_RDWR)
mapped = mmap.mmap(fd, len(data), mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
signal.sigwait({signal.SIGUSR1})
os.ftruncate(fd, 100)          # while it may be read
signal.sigwait({signal.SIGUSR1})
PYTHON
file=$(printf './no\033[31mtes')
/usr/bin/python3 hostile.py "$file" &
target=$!
await_ready $target
shown() { sed "s/$target/PID/; s/^ *[0-9][0-9]* *//; s/  */ /g" | cat -v; }
"$dtrace" -ln "ho*$target:::" 2>&1 | shown
# the arguments that make sense
"$dtrace" -lvn "hostile$target:::nonsense" 2>&1 | grep -c 'args\['
"$dtrace" -lvn "hostile$target:::arguments" 2>&1 | grep -c 'args\['
kill -USR1 $target
await_size() { until [ "$(stat -c %s "$file")" = 100 ]; do sleep 0.05; done; }
await_size
"$dtrace" -ln "hostile$target:::" 2>&1 | shown
kill -USR1 $target
wait $target
