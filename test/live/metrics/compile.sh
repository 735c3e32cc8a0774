# Every preset of every metric compiles, and so does a predicate with every field; or its
# probes are not here, which is explained.
# @timeout: 300
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/metrics.sh"
metric metrics --check > wrong 2> problems
cat problems
# what a service or a kernel's function would have to be there for
grep -v 'no process .*has USDT probes of\|which no process executes\| must run: .* is missing: ' wrong |
	grep -v "this kernel's functions cannot be traced\|this kernel cannot feed it\|this machine does not count that\|or later is needed\|must have been mounted"
metric metrics > list
awk '/^[a-z]/ { n++ } END { print n >= 100 ? "more than a hundred metrics" : n " metrics" }' list
# each that is not available says why
awk '/^[a-z]/ { if (missing) print missing " has no reason"; missing = $2 == "no" ? $1 : "" } /^ / { missing = "" }
	END { if (missing) print missing " has no reason" }' list
# all three entries, all modules known, every default among the presets
metric metrics --json | python3 -c '
import json, sys
all = json.load(sys.stdin)
known = {module["name"]: module for module in all["modules"]}
print(sorted({metric["entry"] for metric in all["metrics"]}))
for metric in all["metrics"]:
    if known[metric["module"]]["title"] == metric["module"] != "nginx":
        print(metric["module"], "has no title")
    if metric["default"] != metric["presets"][0]["by"]:
        print(metric["name"], "has another default")
    if metric["view"] == "utilization" and not metric["full"]:
        print(metric["name"], "is never full")
for name in known:
    if not [metric for metric in all["metrics"] if metric["module"] == name]:
        print(name, "is empty")'
