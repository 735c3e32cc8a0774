# Each error of a request has its code; what is in a string stays in the string.
# @anykernel: nothing here depends on the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/metrics.sh"
ask() { metric program "$@" > program 2> error; status=$?; cat error; [ $status = 1 ] || echo "status $status"; }
ask no.metric
ask fs.operations --by nothing
ask fs.operations --by latency,size
ask fs.operations --by execname,execname
ask fs.operations --by execname,pid,tid,uid,psargs,ppid,cpu,operation,file
ask disk.io --stacks
ask proc.lives --stacks
ask proc.lives --by ''
ask tcp.accepts --pid 1
ask program.malloc
ask fs.operations --pid -1
for where in '[]' '1' '"x"' '{"eq": 1}' '{"eq": ["execname"]}' '{"eq": ["execname", 1]}' '{"eq": [1, "x"]}' \
	'{"eq": ["nothing", 1]}' '{"lt": ["execname", "a"]}' '{"eq": ["latency", "1x"]}' '{"eq": ["latency", 1.5]}' \
	'{"eq": ["latency", null]}' '{"eq": ["latency", "99999999999999999999"]}' '{"eq": ["latency", -9223372036854775808]}' \
	'{"eq": ["latency", ""]}' '{"eq": ["ustack", "x"]}' '{"and": []}' '{"and": {}}' '{"or": [1]}' \
	'{"like": ["execname", "x"]}' '{"eq": ["execname", "x"], "ne": ["execname", "y"]}'; do
	echo "$where"
	ask fs.operations --where "$where"
done
ask fs.operations --where "$(python3 -c 'print("{\"and\": [" * 20 + "{\"eq\": [\"pid\", 1]}" + "]}" * 20)')"
ask fs.operations --where "$(python3 -c 'print("{\"or\": [" + ", ".join(["{\"eq\": [\"pid\", 1]}"] * 65) + "]}")')"
ask fs.operations --where "$(python3 -c 'print("{\"eq\": [\"execname\", \"" + "x" * 256 + "\"]}")')"
metric program fs.operations --where '{"eq": ["execname", "a\u0000b"]}' 2>&1
metric program fs.operations --where '{' 2>&1
metric program fs.operations --pid x 2>&1
metric program 2>&1 | head -n 1
metric metrics --what 2>&1 | head -n 1
metric metrics /nowhere 2>&1

# strings that would like to be something else
for text in 'a"/ {} BEGIN { exit(1); } /"' 'x\' '*/ BEGIN { exit(1); } /*' 'new
line' '	tab' '%s%n $target $1 $$2 @a' '# pragma' "it's" 'ÄÖÜ ☃' '" || 1 || "' '\" || 1 || \"' '/' '??/' ''; do
	where=$(python3 -c 'import json, sys; print(json.dumps({"eq": ["execname", sys.argv[1]]}))' "$text")
	metric program syscall.calls --by execname --where "$where" > program.d || echo failed
	sed -n '1p; /^\/execname/p' program.d
	"$dtrace" -e -s program.d || echo "does not compile"
done
