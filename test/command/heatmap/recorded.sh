# A recording can be drawn as a heat map later, though nobody asked for snapshots; printed again it shows none.
cat > writes.py <<'P'
import os, time
null = os.open("/dev/null", os.O_WRONLY)
for i in range(30):
    os.write(null, b"x" * (1 << i % 3))
    time.sleep(0.1)
P
cat > check.py <<'P'
import sys, xml.etree.ElementTree as xml
rows, columns = {}, set()
for title in xml.parse(sys.argv[1]).getroot().iter("{http://www.w3.org/2000/svg}title"):
    lines = title.text.split("\n")
    if len(lines) > 3:
        columns.add(lines[0])
        rows[lines[1]] = rows.get(lines[1], 0) + int(lines[2].split()[0])
print(dict(sorted(rows.items())), "in", "several columns" if len(columns) > 1 else f"{len(columns)} columns")
P
program='syscall::write:entry /pid == $target && fds[arg0].fi_pathname == "/dev/null"/ { @[execname] = quantize(arg2); @calls = count(); }'
"$dtrace" -q -x record=run -x oformat=ndjson -c 'python3 writes.py' -n "$program" > printed
"$dtrace" --replay run -x oformat=ndjson -x heatmap=later.svg > again
cmp printed again && echo "printed as it was"
grep -c '"snapshot"' printed
python3 check.py later.svg
# with stacks
"$dtrace" -q -x record=stacks -x heatmap=stacks.html -c "$triggers/sizes 50" -n '
	syscall::write:entry /pid == $target && fds[arg0].fi_pathname == "/dev/null"/ { @[execname, ustack()] = quantize(arg2); }' > /dev/null
"$dtrace" --replay stacks -x heatmap=again.html > /dev/null
cmp stacks.html again.html && grep -o '"write_[a-z]*"' again.html | sort
# columns that are finer than what was recorded
"$dtrace" --replay run -x heatmap=fine.svg -x interval=100ms > /dev/null
grep -o 'a column is[^<]*' fine.svg
# a recording of an older version: what this one added is left out
"$dtrace" -q -x record=old -n 'BEGIN { @ = quantize(1); exit(0); }' > /dev/null
python3 - <<'P'
data, out = open("old", "rb").read(), bytearray()
at = data.index(b"\n") + 1
out += data[:at]
while at < len(data):
    begin, length, shift = at, 0, 0
    while True:
        byte = data[at]
        at, length, shift = at + 1, length | (byte & 127) << shift, shift + 7
        if byte < 128:
            break
    if data[at] != 17:
        out += data[begin:at + length]
    at += length
open("old", "wb").write(out)
P
"$dtrace" --replay old -x heatmap=old.svg > /dev/null
grep -o 'the recording has[^<]*' old.svg
