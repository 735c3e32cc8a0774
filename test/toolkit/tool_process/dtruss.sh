# dtruss: arguments by the kind of call, results, counts; a command, its children, a name.
. "$suite/toolkit.sh"
dtruss() { DTRACE=$dtrace "$suite/../toolkit/dtruss" "$@"; }
cat > calls.py <<'Y'
import os, socket, subprocess
os.mkdir("a directory")
os.rename("a directory", "moved")
os.rmdir("moved")
try: os.unlink("absent")
except OSError: pass
out = os.open("there", os.O_RDWR | os.O_CREAT)
os.write(out, b"some text\n")
os.pread(out, 100, 5)
os.lseek(out, -3, os.SEEK_END)
for kind, address in (socket.AF_INET, ("127.0.0.1", 1)), (socket.AF_INET6, ("::1", 7)), (socket.AF_UNIX, "absent"):
    with socket.socket(kind) as s:
        try: s.connect(address)
        except OSError: pass
subprocess.run(["cat", "/no/such file"], stderr=subprocess.DEVNULL)
Y
name_of_its_own python3
echo "a command"
dtruss ./$me calls.py > out
head -1 out
grep -E '^(mkdir|rename|rmdir|unlink|connect)\(|some text|^pread64.*"text|^lseek\(.*-3|"there|exit_group' out |
	sed 's/([0-9], /(fd, /; s/"there\\0", 0x[0-9a-f]*, 0x[0-9a-f]*/"there\\0", flags, mode/; s/= [1-9] 0$/= fd 0/
		s/fd, \(127.*\|.*:7\|"absent.*\), 0x.*) *\t/fd, \1, size)\t/; s/= -1 \(99\|101\|111\|97\)$/= -1 refused/'
echo "children, with all details"
dtruss -af ./$me calls.py > out
head -1 out
awk '/openat.*no.such file/ && $1 ~ /^[0-9]+\/[0-9]+/ && $3 >= 0 && $4 >= $5 { sub(/.*openat/, "openat"); print }
	$1 == "rename" || $1 == "CALL" || $1 == "lseek" && $2 >= 1 { print $1, ($1 == "lseek" ? "1 or more" : $2) }' out
echo "one call of a name"
DTRACE=$dtrace "$suite/../toolkit/dtruss" -L -n $me -t rename > named &
tracer=$!
await named SYSCALL
for _ in $(seq $looks); do
	./$me calls.py
	grep -q rename named && break
done
kill -INT $tracer
wait $tracer
grep . named | sort -u
echo "refused"
dtruss 2>&1 | head -1
dtruss -p 1 ls 2>&1 | head -1
dtruss -t nosuch ls 2>&1 | head -1
