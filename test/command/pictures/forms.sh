# A flame graph as SVG and HTML, and the forms of other tools: the same stacks with the same weights.
cc -O1 -o shape "$test/shape.c" || exit 1
"$dtrace" -x flame=f.svg -x folded=f.folded -x pprof=f.pb -x speedscope=f.json -x title='<b>T</b>' -x unit=calls \
	-qn 'pid$target:shape:leaf:entry { @[execname, ustack()] = count(); }' -c ./shape > /dev/null
echo "status $?"
"$dtrace" -x flame=f.html -qn 'pid$target:shape:leaf:entry { @[execname, ustack()] = count(); }' -c ./shape > /dev/null
echo "status $?"
ls
python3 - <<'PY'
import base64, json, re
import xml.etree.ElementTree as ElementTree
root = ElementTree.parse("f.svg").getroot()
texts = [t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}title")]
print("svg", root.tag, sum("shape`leaf" in t for t in texts), any("5 calls" in t for t in texts), "<b>T</b>" in "".join(root.itertext()))
page = open("f.html").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
print("html", data["picture"], data["unit"], {"main", "left", "right", "leaf"} <= set(data["strings"]))
scope = json.load(open("f.json"))
profile = scope["profiles"][0]
names = [f["name"] for f in scope["shared"]["frames"]]
print("speedscope", sorted((names[s[-2]], w) for s, w in zip(profile["samples"], profile["weights"])))
pb = open("f.pb", "rb").read()
print("pprof", all(word in pb for word in (b"leaf", b"left", b"right", b"calls")))
PY
