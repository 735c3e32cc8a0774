# @anykernel: nothing is traced
# What other programs read says the same as the folded stacks.
stackvis=$(dirname "$dtrace")/stackvis
cat > in << 'END'
main 10
main;f 20
main;f;prog`"g<&>\ 30
main;h;f;h 39
vmlinux`idle 1
END
"$stackvis" collapsed tree in
for out in speedscope flamegraph-d3 pprof flamegraph-svg; do
	"$stackvis" --title 'A "title" <&>' --unit ns collapsed $out in > $out
done
python3 - << 'PYTHON'
import json
import xml.etree.ElementTree as tree

def show(name, stacks):
    for stack, weight in sorted(stacks):
        print(name, ";".join(stack), weight)

data = json.load(open("speedscope"))
frames, profile = [frame["name"] for frame in data["shared"]["frames"]], data["profiles"][0]
show("speedscope", [([frames[i] for i in stack], weight) for stack, weight in zip(profile["samples"], profile["weights"])])
print(profile["name"], profile["type"], profile["unit"], profile["endValue"], sum(profile["weights"]))

def walk(node, path):
    children = node.get("children", [])
    self = node["value"] - sum(child["value"] for child in children)
    if self:
        yield path, self
    for child in children:
        yield from walk(child, path + [child["name"]])

show("d3", walk(json.load(open("flamegraph-d3")), []))

def varint(data, at):
    value = shift = 0
    while True:
        byte, at = data[at], at + 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at

def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value

def numbers(data):
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        yield value

message = list(fields(open("pprof", "rb").read()))
strings = [value.decode() for field, value in message if field == 6]
functions = {part[1]: strings[part[2]] for part in (dict(fields(value)) for field, value in message if field == 5)}
locations = {part[1]: functions[dict(fields(part[4]))[1]] for part in (dict(fields(value)) for field, value in message if field == 4)}
samples = [dict(fields(value)) for field, value in message if field == 2]
show("pprof", [([locations[n] for n in numbers(part[1])][::-1], *numbers(part[2])) for part in samples])
types = [dict(fields(value)) for field, value in message if field == 1]
print("pprof", repr(strings[0]), [(strings[part[1]], strings[part[2]]) for part in types])

svg = tree.parse("flamegraph-svg").getroot()
name = "{http://www.w3.org/2000/svg}%s"
print(svg.find(name % "text").text)
for box in svg.find(name % "g"):
    title, rect, text = box
    print("svg", rect.get("x"), rect.get("width"), int(rect.get("y")), text.text, "|", title.text)
PYTHON
# as pprof itself reads it
go tool pprof -top pprof 2> /dev/null | sed -n 's/^ *flat/flat/p; s/^ *\([0-9.]*ns\)/\1/p'
# what is narrower than a tenth of a pixel is left out
printf 'a_long_name;x 1\nb 100\nc 99900000\n' | "$stackvis" collapsed flamegraph-svg | grep -c '<rect x'
printf 'a_long_name;x 1\nb 100\nc 99900000\n' | "$stackvis" --min-width 0.001 collapsed flamegraph-svg | grep -c '<rect x'
