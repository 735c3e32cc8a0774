# A program that another one stops for 300 ms now and then: it has a gap in the map exactly then, and the other one fills it.
cat > check.py <<'P'
import base64, json, re
html = open("map.html", encoding="utf-8").read()
(map,) = json.loads(re.search(r'id="data">(.*?)</script>', html)[1])["maps"]

def varints(data):
    value = shift = 0
    for byte in data:
        value, shift = value | (byte & 127) << shift, shift + 7
        if byte < 128:
            yield value
            value = shift = 0

numbers = list(varints(base64.b64decode(map["cells"])))
cells, column = [], 0
for delta, row, key, count in zip(*[iter(numbers)] * 4):
    column += delta
    begin = int(map["start"]) * 10**6 + column * 10**9 + int(map["rows"][row][0])
    cells.append((begin, begin + 20000000, map["keys"][key][0], count // 2))
gaps = [[int(word) for word in line.split()] for line in open("gaps")]

def samples(name, is_in_gap):
    return sum(count for begin, end, key, count in cells
               if key == name and is_in_gap == any(first <= begin and end <= last for first, last in gaps))

print(len(gaps), "gaps, rows of", len({cell[:2] for cell in cells}) > 20 and "20 ms")
print("gap-worker in them:", samples("gap-worker", True), "samples; outside:", "many" if samples("gap-worker", False) > 20 else "few")
print("gap-blocker in them:", "many" if samples("gap-blocker", True) > 20 else samples("gap-blocker", True))
P
"$(dirname "$dtrace")/dtoffset" -c "$triggers/gap 3" -o map.html > gaps
python3 check.py
