# fsslower, ext4slower: operations above a limit, by type of file system.
. "$suite/toolkit.sh"
own_ext4 8m
cat > works.py <<'Y'
import os
fd = os.open("there/file", os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 10240)
os.pread(fd, 2048, 0)
os.fsync(fd)
with open("elsewhere", "w") as out: out.write("x")
Y
name_of_its_own python3
works() { awk 'NR == 1 { print $1, $2, $3, $4, $5, $6, $7, $8 } $NF ~ /\/(file|elsewhere)$/ { sub(/.*\//, "", $NF); print $7, $8, ($9 >= 0 ? "ms" : $9), $11 }'; }
echo "all"
tool fsslower -m 0 -n $me -- ./$me works.py | works
echo "of ext4: $(tool fsslower -m 0 -n $me -t ext4 -- ./$me works.py | awk 'NR > 1 { print $10 }' | sort -u)"
echo "slower than an hour: $(tool fsslower -m 1h -- ./$me works.py | grep -vc FILE)"
echo "the command for one type"
: > out
DTRACE=$dtrace "$suite/../toolkit/ext4slower" -m 0 -n $me > out &
tracer=$!
for _ in $(seq $looks); do
	./$me works.py
	grep -q 'there/file' out && break
done
kill -INT $tracer
wait $tracer
grep . out | awk 'NR > 1 { print $10 }' | sort -u
