# -x heatmap counts every value in its row, by key, in SVG that any reader of XML understands, hostile names included.
cat > writes.py <<'P'
import os, time
null = os.open("/dev/null", os.O_WRONLY)
for name in (b"plain", b"</title><script>", b"\x1b[2J\xff'\"&"):
    open("/proc/self/comm", "wb").write(name)
    for i in range(1000):
        os.write(null, b"x" * (i % 257))
        if i % 10 == 0:
            time.sleep(0.001)
P
cat > check.py <<'P'
import re, sys, xml.etree.ElementTree as xml
SVG = "{http://www.w3.org/2000/svg}"
root = xml.parse(sys.argv[1]).getroot()
print({element.tag.replace(SVG, "") for element in root.iter()} - {"svg", "title", "style", "rect", "text", "path"} or "no other elements")
rows, keys, columns = {}, {}, set()
for rect in root.iter(SVG + "rect"):
    title = rect.find(SVG + "title")
    if title is None:
        continue
    when, bounds, count, shares, *parts = title.text.split("\n")
    columns.add(when)
    rows[bounds] = rows.get(bounds, 0) + int(count.split()[0])
    for part in parts:
        key, number = part.rsplit(": ", 1)
        keys[key] = keys.get(key, 0) + int(number)
def first(bounds):
    return int(re.search(r"-?\d+", bounds)[0])
for bounds in sorted(rows, key=first):
    print(bounds, rows[bounds])
for key in sorted(keys):
    print(key, keys[key])
print("columns" if len(columns) > 1 else "one column")
P
"$dtrace" -q -x heatmap=h.svg -x interval=100ms -x record=run -x unit=bytes -c 'python3 writes.py' -n '
	syscall::write:entry /pid == $target && fds[arg0].fi_pathname == "/dev/null"/ { @[execname] = quantize(arg2); clear(@); }
	END { trunc(@); }' > /dev/null
python3 check.py h.svg
echo "as a replay:"
"$dtrace" -q --replay run -x heatmap=again.svg -x interval=100ms -x unit=bytes > /dev/null
cmp h.svg again.svg && echo same
echo "linear, with what is outside, and in one column:"
"$dtrace" -q -x heatmap=l.svg -x interval=1h -n 'BEGIN { @ = lquantize(-7, 0, 30, 10); @ = lquantize(0, 0, 30, 10); @ = lquantize(9, 0, 30, 10);
	@ = lquantize(30, 0, 30, 10, 5); exit(0); }' > /dev/null
python3 check.py l.svg
