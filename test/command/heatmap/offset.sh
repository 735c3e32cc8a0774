# -x offsetmap: each event is in the row and column of its own time, however late it is read.  Records have that time, and so
# do aggregations by walltimestamp; a replay shows the same.
cat > writes.py <<'P'
import os, time
null = os.open("/dev/null", os.O_WRONLY)
for i in range(1500):
    os.write(null, b"x")
    time.sleep(0.001)
P
cat > check.py <<'P'
import json, sys, time, xml.etree.ElementTree as xml
SVG = "{http://www.w3.org/2000/svg}"

def add(map, when, row, count):
    map[when, row] = map.get((when, row), 0) + count

def maps(path):
    found = {}
    for element in xml.parse(path).getroot().iter():
        title = element.find(SVG + "title")
        if element.get("class") == "name":
            now = found.setdefault(element.text, {})
        elif element.tag == SVG + "rect" and title is not None:
            when, bounds, count = title.text.split("\n")[:3]
            low, to, high, unit = bounds.split()
            assert (to, unit) == ("to", "ns") and (int(low) % 20000000, int(high) % 20000000) == (0, 19999999), bounds
            add(now, when, int(low) // 20000000, int(count.split()[0]))
    return found

def place(map, wall):
    add(map, time.strftime("%H:%M:%S", time.gmtime(wall // 10**9)), wall % 10**9 // 20000000, 1)

stamped, printed = {}, {}
for line in open("events"):
    item = json.loads(line)
    if item["type"] == "record":
        place(stamped, item["walltimestamp"])
        place(printed, item["actions"][0]["values"][0])
print(sum(printed.values()), "events", "in several columns" if len({when for when, _ in printed}) > 1 else "in one column")
truth = {"@: offset": printed, "events: offset": stamped}
for path in sys.argv[1:]:
    for name, map in sorted(maps(path).items()):
        print(path, name, "exact" if map == truth[name] else (map, truth[name]))
P
# All is read when the run is over, so that nothing depends on when it is read.
"$dtrace" -x aggrate=1h -x switchrate=1h -x oformat=ndjson -x interval=1h -x record=run -x offsetmap=live.svg -o events -c 'python3 writes.py' -n '
	syscall::write:entry /pid == $target && fds[arg0].fi_pathname == "/dev/null"/ {
		@[walltimestamp / 1000000000, execname] = lquantize(walltimestamp % 1000000000 / 1000, 0, 1000000, 20000);
		printf("%d", walltimestamp); }' 2>/dev/null
"$dtrace" --replay run -x offsetmap=again.svg > /dev/null
python3 check.py live.svg again.svg
cmp live.svg again.svg && echo "a replay has the same"
