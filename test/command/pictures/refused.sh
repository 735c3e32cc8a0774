# What cannot be drawn or written is refused before anything is enabled, and an older file stays.
stacks='BEGIN { @[stack()] = count(); system("touch enabled"); exit(0); }'
try() {
	"$dtrace" -qw "$@" 2>&1 >/dev/null | head -1
	[ -e enabled ] && echo "it ran" && rm enabled
	return 0
}
try -x flame=f.png -n "$stacks"
try -x flame=f -n "$stacks"
try -x flame=/nowhere/f.svg -n "$stacks"
mkdir d.svg
try -x flame=d.svg -n "$stacks"
try -x flame= -n "$stacks"
try -x flame=f.svg -n 'BEGIN { @[pid] = count(); system("touch enabled"); exit(0); }'
try -x folded=f -n 'BEGIN { stack(); system("touch enabled"); exit(0); }'
try -x proctree=f.svg -n 'BEGIN { printf("%s", "fork"); system("touch enabled"); exit(0); }'
try -x checkerboard=f.svg -n "$stacks"
try -x lives=f.html -n "$stacks"
try -x folded=good -x flame=f.png -n "$stacks"
for option in flame=f.svg folded=f pprof=f speedscope=f proctree=f.svg lives=f.svg checkerboard=f.svg; do
	printf '#pragma D option %s\nBEGIN { }\n' $option > x.d
	"$dtrace" -e -s x.d 2>&1 | grep -c 'Option cannot be used from within a D program'
done
echo old > f.svg
"$dtrace" -x flame=f.svg -qn 'BEGIN { @[stack()] = count(); } tick-10ms { printf("x\n"); }' 2>&1 > /dev/full
cat f.svg
echo "killed"
"$dtrace" -x flame=f.svg -qn 'BEGIN { @[stack()] = count(); printf("armed\n"); }' > out &
tracer=$!
. "$suite/lib.sh"
await out armed
kill -9 $tracer
wait $tracer 2>/dev/null
cat f.svg
# file systems without files that have no name (9p) keep one
python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_WRONLY)' 2> /dev/null || rm -f .f.svg.*
ls -A
echo "replaced, through a link"
ln -s f.svg link.svg
"$dtrace" -x flame=link.svg -qn 'BEGIN { @[stack()] = count(); exit(0); }' > /dev/null
head -c 5 f.svg
echo
test -h link.svg && ls -A
