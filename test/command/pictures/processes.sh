# Trees, lives and turns of processes, made of records of the documented form; names are text, whatever they are.
cat > events.d <<'D'
proc:::create /progenyof($target)/ { printf("%s %d %d %s\n", "fork", pid, args[0]->pr_pid, execname); }
proc:::exec-success /progenyof($target)/ { printf("%s %d %s\n", "exec", pid, execname); }
proc:::exit /progenyof($target)/ { printf("%s %d %s %d\n", "exit", pid, execname, curpsinfo->pr_wstat); }
sched:::on-cpu { printf("%s %d %d %s\n", "run", pid, progenyof($target) ? tid : 0, execname); }
D
cp "$(command -v sleep)" './a<b>&"c'
cat > script <<'S'
./a\<b\>\&\"c 0.01
(exit 3)
sh -c 'kill -9 $$'
true | cat
exit 1
S
"$dtrace" -q -s events.d -x proctree=t.dot -x lives=l.svg -x checkerboard=c.svg -x record=r -c 'sh script' > told
echo "status $?"
"$dtrace" --replay r -x proctree=t.svg -x checkerboard=c.html > told2
cmp told told2
sed 's/p[0-9]*/p/g; s/label="[0-9]* /label="/; s/\\n[0-9.]* [mu]*s"/"/' t.dot | sort
python3 - <<'PY'
import re
import xml.etree.ElementTree as ElementTree
SVG = "{http://www.w3.org/2000/svg}"
def titles(file):
    return [t.text for t in ElementTree.parse(file).getroot().iter(SVG + "title")]
told = [line.split(None, 2) for line in open("told") if line.strip()]
forks = sum(t[0] == "fork" for t in told)
print("tree", len(titles("t.svg")) == forks + 2, any('a<b>&"c' in t for t in titles("t.svg")))
bars = [t for t in titles("l.svg") if "began" in t]
print("lives", len(bars) == forks + 1, sum("signal 9" in t for t in bars), sum("exit 3" in t for t in bars),
      [t.text for t in ElementTree.parse("l.svg").getroot().iter(SVG + "text") if t.get("class") == "failed"],
      sum("did not end" in t for t in bars), sum("began before" in t for t in bars), sum(" lived " in t for t in bars) == forks)
print("board", len(ElementTree.parse("c.svg").getroot().findall(f".//{SVG}rect")) > 5)
page = open("c.html").read()
print("page", page.startswith("<!doctype html>"), "default-src 'none'" in page, "<script" not in page,
      page[page.index("<svg"):page.index("</body>")] == open("c.svg").read())
PY
# the ready command
dtproc=$(dirname "$dtrace")/dtproc
"$dtproc" -c 'sh -c "ls > /dev/null; (exit 2)"' -o d.dot
echo "dtproc: status $?"
sed 's/p[0-9]*/p/g; s/label="[0-9]* /label="/; s/\\n[0-9.]* [mu]*s"/"/' d.dot | sort | grep label
"$dtproc" --lives -c true -o d.svg
echo "dtproc: status $?"
"$dtproc" --cpus -d 1 -t 'a <title>' -o d.html
echo "dtproc: status $? $(grep -c 'a &#60;title&#62;</title>' d.html) $(grep -c 'CPU 0</text>' d.html)"
for words in "" "-o f.png" "--lives -o f.dot" "-o f.svg -a -p 1" "-o f.svg more"; do
	# shellcheck disable=SC2086
	"$dtproc" $words 2>&1 | head -1
done
