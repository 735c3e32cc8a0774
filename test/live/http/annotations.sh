# Annotations are kept, listed and deleted, and clients are told.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start
ask -N "$base/api/1/events" > events 2> /dev/null &
listener=$!
await events hello
post /annotations '{"t":1700000000000,"text":"<script>"}'
echo
post /annotations '{"t":1700000001000.5,"text":"two"}'
echo
get /annotations
echo
send DELETE /annotations/1 ''
echo
get /annotations
echo
status -X DELETE "$base/api/1/annotations/1"
for wrong in '{}' '{"t":"now","text":"x"}' '{"t":1}' '{"t":1,"text":""}' '{"t":-1,"text":"x"}' '{"t":1e300,"text":"x"}'; do
	status -X POST -H 'Content-Type: application/json' -d "$wrong" "$base/api/1/annotations"
done
await events unannotated
grep -A1 '^event: .*annot' events
kill $listener
