# @once: the perf of this machine samples
# A profile of perf record -g, the same stacks folded by another tool and as SystemTap prints them are one picture.
stackvis=$(dirname "$dtrace")/stackvis
cat > prog.c <<'C'
static volatile long sum;
__attribute__((noinline)) void leaf(void)
{
	for (long i = 0; i < 200000000; i++)
		sum += i;
}
__attribute__((noinline)) void branch(void)
{
	leaf();
	sum++;
}
int main(void)
{
	branch();
	leaf();
	return sum == 0;
}
C
cc -O0 -o prog prog.c || exit 1
perf record -q -e cpu-clock:u -F 499 -g -o perf.data ./prog 2> err || { cat err; exit 1; }
perf script -i perf.data > all.txt 2> err || { cat err; exit 1; }
# What others make of it: the name of the program, then the frames from the root.  Those below main depend on the C library.
cat > convert.py <<'PY'
import collections, os, re
FRAME = re.compile(r"\s+[0-9a-f]+ (.*)\+0x[0-9a-f]+ \((.*)\)")
samples = [sample.strip("\n").split("\n") for sample in open("all.txt").read().split("\n\n") if sample.strip()]
kept, stacks = [], collections.Counter()
for head, *lines in samples:
    last = next((i for i, line in enumerate(lines) if " main+" in line), None)
    if last is not None:
        frames = [FRAME.fullmatch(line) for line in lines[:last + 1]]
        kept.append("\n".join([head, *lines[:last + 1]]))
        stacks[head.split()[0], tuple((frame[1], os.path.basename(frame[2])) for frame in frames)] += 1
with open("perf.txt", "w") as perf, open("folded", "w") as folded, open("stap", "w") as stap:
    perf.write("\n\n".join(kept) + "\n")
    for (comm, frames), count in stacks.items():
        print(";".join([comm, *(f"{dso}`{name}" for name, dso in reversed(frames))]), count, file=folded)
        for name, dso in frames:
            print(f" 0x401000 : {name}+0x12/0x40 [/somewhere/{dso}]", file=stap)
        print(comm, f"\t{count}", "", sep="\n", file=stap)
print("samples" if len(samples) >= 50 else len(samples), "from main" if len(kept) >= 0.95 * len(samples) else len(kept))
PY
python3 convert.py || exit 1
for out in flamegraph-svg tree; do
	"$stackvis" perf $out perf.txt > of.perf && "$stackvis" collapsed $out folded > of.folded && "$stackvis" stap $out stap > of.stap
	[ -s of.perf ] && cmp of.perf of.folded && cmp of.perf of.stap && echo "$out: the same"
done
"$stackvis" perf collapsed perf.txt | sed 's/ [0-9]*$//'
