# @anykernel: nothing is traced
# What is wrong is said, and what to do; nothing is written then.
stackvis=$(dirname "$dtrace")/stackvis
try() {
	"$stackvis" "$@" > out 2> messages
	echo "status $?: $(sed "1s|^.*/stackvis:|stackvis:|; q" messages), $(wc -c < out) bytes"
}
try
try collapsed
try collapsed tree file file
try nonsense tree < /dev/null
try collapsed nonsense < /dev/null
try collapsed tree /nonexistent
try collapsed tree /
try collapsed tree < /dev/null
echo 'no stack' > text
try perf tree text
try dtrace collapsed text
try recording tree text
try ndjson tree text
try --width 5 collapsed tree text
try --width x collapsed tree text
try --min-width 0 collapsed tree text
try --nonsense
try diff text text
try diff text text nonsense
try --from nonsense diff text text tree
echo 'f 1' > good
try diff good text tree
"$stackvis" collapsed flamegraph-svg good > /dev/full
echo "status $?"
"$stackvis" --help
echo "status $?"
# a recording that is cut is read as far as it goes
"$dtrace" -x record=run -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(1)] = count(); }' -c "$triggers/calls now getppid 5"  > /dev/null
"$stackvis" recording collapsed run | sed 's/0x[0-9a-f]*/ADDRESS/; s/.*getppid/getppid/'
printf 'dtrace recording 2\n\377\377' > damaged
try recording collapsed damaged
