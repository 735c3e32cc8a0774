# @anykernel: nothing is traced
# Two runs side by side: what is new, what is gone, and how much.
stackvis=$(dirname "$dtrace")/stackvis
printf '%s\n' 'main;fast 100' 'main;old;f 50' 'idle 50' > before
printf '%s\n' 'main;fast 300' 'main;new 60' 'idle 40' > after
"$stackvis" diff before after collapsed
"$stackvis" --normalize diff before after collapsed
"$stackvis" diff before after flamegraph-svg > diff.svg
"$stackvis" --by-total diff before after flamegraph-svg > total.svg
python3 - << 'PYTHON'
import xml.etree.ElementTree as tree
name = "{http://www.w3.org/2000/svg}%s"
for file in ("diff.svg", "total.svg"):
    for box in tree.parse(file).getroot().find(name % "g"):
        title, rect, text = box
        print(box.get("class"), rect.get("width"), rect.get("fill"), title.text)
PYTHON
"$stackvis" diff before after flamegraph-d3
# other formats: what they are is seen, or said
printf '@[\n    f+1\n]: 2\n' > map
"$stackvis" --from bpftrace diff map map collapsed
echo '{"type": "aggregation", "table": {"keys": [{"name": "ustack", "type": "stack"}], "rows": [{"key": [["f+0x1", "main+0x2"]], "value": [3]}]}}' > lines
"$stackvis" diff lines after collapsed
