# Formats, functions for records, buffered text and handlers, in all
# combinations: each is called, and structured output is whole.
# @anykernel: who is called does not depend on it
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror $flags -I"$suite/../include" -o combinations "$test/combinations.c" "$build/libdtrace.a" || exit 1
./combinations || exit 1
for file in json.*; do
	python3 -m json.tool "$file" > /dev/null || echo "$file is not JSON"
done
for file in ndjson.*; do
	python3 -m json.tool --json-lines "$file" > /dev/null || echo "$file is not JSON"
done
# what the items are, in order; which runs have them
python3 - <<'EOF'
import collections, glob, json
kinds = collections.defaultdict(list)
for name in sorted(glob.glob("*json.*"), key=lambda name: (name.split(".")[0], int(name.split(".")[1]))):
    with open(name) as file:
        items = json.load(file)["items"] if name.startswith("json") else [json.loads(line) for line in file][1:]
    words = []
    for item in items:
        actions = "+".join(action["action"] for action in item.get("actions", []))
        words.append(item["type"] + (":" + actions if actions else "") + (f":{item['status']}" if item["type"] == "end" else ""))
    kinds[" ".join(words)].append(name)
for words, names in kinds.items():
    print(words, "in", *names)
EOF
echo "text:"; cat text.0
echo "csv:"; cat csv.0
