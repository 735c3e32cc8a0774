# Files with metrics: what is wrong is told with its line, and the others are there.
# @anykernel: nothing here depends on the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/metrics.sh"
mkdir own
cat > own/fs.renames.metric <<'Y'
# A metric of one's own.
title    Renames
about    Files that get
         another name.
unit     renames
start    syscall::rename:entry
measure  syscall::rename:return
when     errno == 0
count
process  any
field    latency number ns "latency" = timestamp - $began
preset   "Latency of renames" latency execname
Y
metric metrics own
metric program --metrics own fs.renames
metric metrics --json own | python3 -c 'import json, sys; print(json.load(sys.stdin)["metrics"][0]["about"])'
# the example of doc/metrics.md is as it says
mkdir example
sed -n '/^`fs.renames.metric`:/,/^Put it/s/^    //p' "$suite/../doc/metrics.md" > example/fs.renames.metric
metric metrics --check example && echo "it compiles"
metric program --metrics example fs.renames --by from --where '{"gt": ["latency", 1000000]}' > made
sed -n '/^    \/\* Renames by/,/^Only/s/^    //p' "$suite/../doc/metrics.md" | unexpand > shown
diff -B shown made && echo "the program is as shown"
# every keyword is in its table
sed -n 's/^\t{ "\([a-z]*\)", \.\(take\|text\).*/\1/p' "$suite/../live/metric_read.c" | while read -r word; do
	grep -q "^| .*\`$word[\` ].* |" "$suite/../doc/metrics.md" || echo "$word is not documented"
done
# every code, too
sed -n 's/.*"\([a-z]*_[a-z_]*\)",.*/\1/p' "$suite"/../live/predicate.c "$suite"/../live/metric_request.c | sort -u |
	while read -r code; do grep -q "\`$code\`" "$suite/../doc/metrics.md" || echo "$code is not documented"; done
# the same, damaged: line by line
wrong() {
	sed "$1" own/fs.renames.metric > own/fs.wrong.metric
	metric metrics own 2>&1 > /dev/null
}
wrong 's/^unit .*/unit/'
wrong 's/^unit .*//'
wrong 's/^measure .*//'
wrong 's/^preset .*//'
wrong 's/^title/titel/'
wrong 's/^title .*/&\n&/'
wrong 's/number ns/number/'
wrong 's/number ns/float/'
wrong 's/field    latency/field    9lives/'
wrong 's/field    latency/field    pid/'
wrong 's/"latency"/latency/'
wrong 's/= timestamp.*//'
wrong 's/= timestamp.*/=/'
wrong 's/= timestamp.*/at noon = 1/'
wrong 's/process  any/process  some/'
wrong 's/latency execname/latency nothing/'
wrong 's/"Latency of renames"//'
wrong 's/^count/count 1/'
wrong 's/^count/sum/'
wrong 's/^count/scale power/'
wrong 's/^count/key/'
wrong 's/^start .*/when 1/'
wrong 's/^unit .*/&\nview pie/'
wrong 's/^unit .*/&\nentry door/'
wrong 's/^unit .*/&\nfull moon/'
wrong 's/^unit .*/&\noption quiet; BEGIN/'
wrong 's/^count/let nothing = 1/'
wrong 's/^process.*/&\nscale power/'
wrong 's/^preset.*/scale linear 1\n&/'
wrong '1s/^/  continued\n/'
wrong 's/^start.*//; s/"latency" =/"latency" at start =/'
python3 -c 'print("title " + "x" * 9000)' > own/fs.wrong.metric; metric metrics own 2>&1 > /dev/null
printf 'title\0x' > own/fs.wrong.metric; metric metrics own 2>&1 > /dev/null
head -c 70000 /dev/zero > own/fs.wrong.metric; metric metrics own 2>&1 > /dev/null
head -c 5000 /dev/urandom > own/fs.wrong.metric; metric metrics own 2>&1 > /dev/null | sed 's/:[0-9]*:.*/: wrong/'
: > own/fs.wrong.metric; metric metrics own 2>&1 > /dev/null
rm own/fs.wrong.metric; mkfifo own/fs.wrong.metric; metric metrics own 2>&1 > /dev/null; rm own/fs.wrong.metric
cp own/fs.renames.metric own/wrong.metric; metric metrics own 2>&1 > /dev/null; rm own/wrong.metric
cp own/fs.renames.metric 'own/Fs.x y.metric'; metric metrics own 2>&1 > /dev/null; rm own/Fs*
