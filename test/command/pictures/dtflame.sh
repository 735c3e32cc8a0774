# dtflame answers each of its questions with a picture; samples of a busy program end in main, and its children count.
. "$suite/lib.sh"
dtflame=$(dirname "$dtrace")/dtflame
cat > busy.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile long sink;
__attribute__((noinline)) void burn(void)
{
	for (clock_t start = clock(); clock() - start < CLOCKS_PER_SEC / 4;)
		for (int i = 0; i < 10000; i++)
			sink += i;
}
__attribute__((noinline)) void rest(void)
{
	usleep(300000);
}
__attribute__((noinline)) void take(void)
{
	for (int i = 0; i < 10; i++)
		sink += (long)malloc(1000);
	sink += (long)calloc(3, 100);
}
int main(void)
{
	if (!fork()) {
		burn();
		_exit(0);
	}
	wait(NULL);
	take();
	rest();
	return 0;
}
C
cc -O1 -o busy busy.c || exit 1
"$dtflame" -F 499 -u -c ./busy -o cpu.folded
echo "status $?"
"$dtflame" -c ./busy -o cpu.svg
echo "status $?"
"$dtflame" --off-cpu -c ./busy -o off.folded
echo "status $?"
"$dtflame" --wakeup -k -c ./busy -o wake.folded
echo "status $?"
"$dtflame" --alloc -c ./busy -o alloc.folded
echo "status $?"
"$dtflame" -d 1 -o all.html
echo "status $?"
"$dtflame" -d 1 -p $$ -o one.json
echo "status $?"
python3 - <<'PY'
import json, re
import xml.etree.ElementTree as ElementTree
def weights(file):
    return [(stack, int(n)) for stack, n in (line.rsplit(" ", 1) for line in open(file))]
cpu = weights("cpu.folded")
burn = sum(n for s, n in cpu if "busy`main;busy`burn" in s)
print("cpu", burn > 20, burn > 0.6 * sum(n for _, n in cpu), all(s.split(";")[0] == "busy" for s, _ in cpu))
print("svg", any("CPU time" in (t.text or "") for t in ElementTree.parse("cpu.svg").getroot().iter()))
rest = sum(n for s, n in weights("off.folded") if "busy`rest" in s and "vmlinux`" in s)
print("off-cpu", 0.3e9 <= rest < 5e9)
waits = sum(n for s, n in weights("wake.folded") if s.startswith("busy woken by;busy;") and "do_exit" in s)
print("wakeup", waits >= 0.2e9)
taken = sum(n for s, n in weights("alloc.folded") if "busy`take" in s)
print("alloc", taken)
data = json.loads(re.search(r'id="data">(.*?)</script>', open("all.html").read(), re.S)[1])
print("all", data["title"], data["unit"])
print("one", json.load(open("one.json"))["profiles"][0]["unit"])
PY
for words in "-o f.png" "" "-o f.svg --alloc" "-o f.svg -p 1 -a" "-o f.svg -k -u" "-o f.svg more" "-F no -o f.svg" "-o /nowhere/f.svg -d 1"; do
	# shellcheck disable=SC2086
	"$dtflame" $words 2>&1 | head -1
done
