# Two busy threads on one CPU take turns: their rows are a checkerboard, and each has about half of the time of the CPU.
cat > busy.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <time.h>
static void *spin(void *arg)
{
	struct timespec t;

	pthread_setname_np(pthread_self(), arg);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_sec == 0 && t.tv_nsec < 300000000);
	return NULL;
}
int main(void)
{
	cpu_set_t one;
	pthread_t a, b;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	pthread_create(&a, NULL, spin, "white");
	pthread_create(&b, NULL, spin, "black");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
C
cc -O1 -o busy busy.c -pthread || exit 1
"$dtrace" -x checkerboard=c.svg -qn 'sched:::on-cpu { printf("%s %d %d %s\n", "run", pid, pid == $target ? tid : 0, execname); }' -c ./busy > told
echo "status $?"
python3 - <<'PY'
import xml.etree.ElementTree as ElementTree
SVG = "{http://www.w3.org/2000/svg}"
root = ElementTree.parse("c.svg").getroot()
rows = {}
for text in root.iter(SVG + "text"):
    for name in ("white", "black"):
        if (text.text or "").endswith(" " + name):
            rows[name] = float(text.get("y")) - 12
turns = {name: [] for name in rows}
for rect in root.iter(SVG + "rect"):
    for name, y in rows.items():
        if rect.get("y") and abs(float(rect.get("y")) - y) < 1:
            turns[name].append((float(rect.get("x")), float(rect.get("width")), float(rect.get("fill-opacity", "1")), rect.get("fill")))
white, black = turns["white"], turns["black"]
print("turns", len(white) > 4, len(black) > 4)
busy = {name: sum(w * o for _, w, o, _ in turns[name]) for name in turns}
print("a fair share", 0.6 < busy["white"] / busy["black"] < 1.6)
both = [max(0, min(a + w, b + v) - max(a, b)) for a, w, o, _ in white if o == 1 for b, v, p, _ in black if p == 1]
print("never both", sum(both) == 0)
PY
