# rwsnoop: each read and write of a known program with direction, bytes and file.
. "$suite/toolkit.sh"
cat > moves.py <<'Y'
import os
out = os.open("moved", os.O_RDWR | os.O_CREAT)
os.write(out, b"x" * 300)
os.pwrite(out, b"y" * 50, 100)
os.writev(out, [b"a" * 10, b"b" * 7])
os.pread(out, 40, 0)
os.lseek(out, 0, 0)
os.readv(out, [bytearray(1000)])
os.read(out, 5)
inlet, outlet = os.pipe()
os.write(outlet, b"z" * 123)
os.read(inlet, 1000)
Y
name_of_its_own python3
echo "one program"
tool rwsnoop -n $me -- ./$me moves.py | unnamed python3 |
	awk 'NR == 1 { print } /moved$/ { sub(/.*\//, "", $6); print $3, $4, $5, $6 }
		/pipe:/ { print $3, $4, $5, "a pipe" }'
echo "another program: $(tool rwsnoop -n nosuch -- ./$me moves.py | grep -c moved)"
