# Every cell has a source that exists, or a reason why it is unknown, and then no number.
# All resources of the method are there.
. "$suite/lib.sh"
use=${dtrace%/*}/use
"$use" --json > out.json
"$use" -v > out
"$use" > table
python3 - "$dtrace" <<'PY'
import json, os, re, subprocess, sys
page = json.load(open("out.json"))
cells = page["cells"]
rows = {cell["resource"] for cell in cells}
for word in ("cpu", "cpu0", "run queue", "memory", "memory ECC", "swap", "net lo", "net packets", "tcp", "udp",
             "descriptors", "descriptors/process", "process table", "locks kernel", "locks futex"):
    if word not in rows:
        print("no row", word)
if len(cells) != 3 * len(rows):
    print("not three cells for each resource")
probes = set()
for cell in cells:
    if cell["value"] is None:
        if not cell.get("reason") or cell["marked"] or "unit" in cell:
            print("no reason", cell)
        continue
    if not isinstance(cell["value"], (int, float)) or cell["value"] < 0 or not cell.get("source"):
        print("odd", cell)
        continue
    for path in re.findall(r"/(?:proc|sys)/[\w/*.-]*\w", cell["source"]):
        if not re.match(r"/proc/\d", path) and not os.path.exists(path):
            print("no such file", path)
    probes |= set(re.findall(r"\b[a-z]+:[a-z]*:[a-z*]*:[\w-]+", cell["source"]))
for probe in sorted(probes):
    if subprocess.run([sys.argv[1], "-ln", probe], capture_output=True).returncode:
        print("no such probe", probe)
print("probes are named:", len(probes) > 8)

# the three forms have the same rows
def names(text, width):
    # on a busy machine events may be lost, and that is said
    return [line[:width].strip() for line in text.split("\n")[1:] if line.strip() and " events were lost" not in line]
table = names(open("table").read(), 20)
verbose = names(open("out").read(), 20)
print("table:", set(table) <= rows | {cell for cell in table if cell.startswith(("disk", "controller", "net"))})
print("-v:", len(verbose) == 3 * len(set(verbose)))
known = {(cell["resource"], cell["measure"]): cell["value"] for cell in cells}
total = int(re.search(r"MemTotal: *(\d+)", open("/proc/meminfo").read())[1])
print("memory is used:", 0 < known["memory", "utilization"] < 100)
swap = int(re.search(r"SwapTotal: *(\d+)", open("/proc/meminfo").read())[1])
print("swap:", (known["swap", "utilization"] is None) == (swap == 0))
PY
sed -n 's/^\(net lo *utilization *\)?.*/unknown, not 0: \1/p' out | tr -s ' '
for options in '0' '1 x' '1 2 3' '-q'; do
	# shellcheck disable=SC2086
	"$use" $options > out 2> err
	echo "$? $(grep -c . out) $(tail -n +1 err | grep -c Usage:)"
done
"$use" --help | head -1
