# Each question of dtheat has an answer; the one about read and write calls counts all of them, in a picture and nothing else.
dtheat=$(dirname "$dtrace")/dtheat
for question in syscall rw runq offcpu io iosize; do
	"$dtheat" -d 1 $question -o $question.html || echo "$question failed"
	grep -q '^<!doctype html>' $question.html || echo "$question: no page"
done
# a quiet machine may do nothing for a second
while :; do dd if=/dev/zero of=/dev/null count=20 status=none; sleep 0.02; done &
load=$!
for question in syscall rw iosize offcpu; do
	"$dtheat" -d 1 -s $question -o $question.html || echo "$question with stacks failed"
	# of disk requests there may still be none
	[ $question = iosize ] || grep -q '"stacksIn":0' $question.html || echo "$question: no stacks"
done
kill $load
wait $load 2> /dev/null
"$dtheat" -c 'dd if=/dev/zero of=/dev/null bs=1000 count=500 status=none' rw -o dd.svg
python3 - <<'P'
import xml.etree.ElementTree as xml
counts = {}
for title in xml.parse("dd.svg").getroot().iter("{http://www.w3.org/2000/svg}title"):
    lines = title.text.split("\n")
    for line in lines[4:]:
        key, count = line.rsplit(": ", 1)
        if lines[1] == "512 to 1023 bytes":
            counts[key] = counts.get(key, 0) + int(count)
# the loader reads, too
print({key: count for key, count in counts.items() if count >= 500})
P
"$dtheat" -n 'BEGIN { @a = lquantize(5, 0, 10, 5); @b["x"] = quantize(3); exit(0); }' -u bytes -t 'A title' -o own.svg
grep -oE 'A title|@[ab]: [a-z]*' own.svg | sort -u
