# How many frames there may be: ustack(n) and ustackdepth up to 1,023, from the
# first stack of a process on; a stack that ends because there cannot be
# more frames says so, as a record, as a key and as JSON.
. "$suite/lib.sh"
cat > descend.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile long sink;
#define LINK __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))
LINK static void bottom(int times) { while (times--) { sink = syscall(SYS_getppid); usleep(200000); } }
LINK static void down(int n, int times)
{
	char room[64];
	memset(room, n, sizeof(room));
	n ? down(n - 1, times) : bottom(times);
	sink += room[3];
}
int main(int count, char **words) { down(atoi(words[1]), atoi(words[count - 1])); return 0; }
C
gcc -O2 -fomit-frame-pointer -o descend descend.c || exit 1
sum() { awk '/`|\[/ { frames++; if (/\[/) { frames--; cut = $0 } next } frames { print frames, ($1 ? "x " $1 : ""), cut; frames = 0; cut = "" }'; }
calls() { "$dtrace" -qn "syscall::getppid:entry /pid == \$target/ { $1 }" $3 -c "./descend $2"; }
echo "whole"
calls 'ustack(1023);' '900 2' | sum
calls 'this->depth = ustackdepth; printf("%d\n", this->depth);' '900 2' | tail -n 2 | head -n 1
echo "deeper than asked for"
calls 'ustack(3);' '50 1' | sum
calls 'ustack();' '50 1' '-x ustackframes=3' | sum
echo "deeper than one gets without asking"
calls 'ustack();' '200 1' | sum
calls '@[jstack()] = count();' '200 1' | sum
echo "deeper than there can be"
calls 'ustack(1023);' '2000 2' | sum
calls '@[ustack(5000)] = count();' '2000 2' | sum
calls 'ustack(400);' '600 1' '-x maxframes=128' | sum
calls 'ustack(1023);' '2000 1' '-x oformat=ndjson' |
	python3 -c 'import json, sys
for line in sys.stdin:
	for action in json.loads(line).get("actions", []):
		print(len(action["values"][0]), action["values"][0][-1])'
echo "kernel"
ip link set lo up
cat > reset.d <<'D'
rawtp:skb::kfree_skb /execname == "bash" && stackdepth > 20/ { stack(); @[stack()] = count(); stack(5); exit(0); }
tick-100ms { system("bash -c 'echo > /dev/tcp/127.0.0.1/9' 2>/dev/null"); }
D
"$dtrace" -wqs reset.d | sum
