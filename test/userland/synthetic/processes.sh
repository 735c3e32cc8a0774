# Synthetic probes fire in each process that executes the object: those that are there,
# one that starts later, and the first one of all (-Z); and in no other.
. "$suite/synthetic.sh"
open_shop Uma
uma=$shop
open_shop Vic
vic=$shop
# the number of sales of each, until all have some
count() {
	"$dtrace" -Z -L lib -qn '
	shop*:::sale-done { @[probeprov] = count(); }
	shop*:::sale-start { self->name = copyinstr(arg0); }
	shop*:::sale-start /!seen[self->name]/ { seen[self->name] = 1; printf("%s %d\n", self->name, probeprov == strjoin("shop", lltostr(pid))); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' > out 2>&1 &
	tracer=$!
	await out armed
}
end_count() {
	kill -INT $tracer
	wait $tracer
	# other tests have shops, too
	grep '^\(Uma\|Vic\|Wim\|Xia\) \|dtrace' out | sort
	for pid in "$@"; do
		awk -v name=shop$pid '$1 == name { n = $2 } END { print (n > 0 ? "counted" : "none") }' out
	done
	rm out
}
echo "two, and a third that starts later"
count
await out Uma
await out Vic
open_shop Wim
wim=$shop
await out Wim
end_count $uma $vic $wim
close_shops $uma $vic $wim
echo "none, and then one"
count
open_shop Xia
await out Xia
end_count $shop
close_shops $shop
echo "by its number only"
open_shop Yan
"$dtrace" -L lib -qn "shop$shop:::sale-start { printf(\"%s\", copyinstr(arg0)); exit(0); }"
close_shops $shop
echo "a child"
cat > parent.c <<'Y'
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
static volatile int wanted;
static void want(int signal) { wanted = signal; }
__attribute__((noinline)) int work(int is_child) { __asm__ volatile(""); return is_child; }
int main(void)
{
	int is_child = 0;

	signal(SIGUSR1, want);
	for (;; usleep(10000)) {
		work(is_child);
		if (wanted && !is_child) {
			wanted = 0;
			is_child = !fork();
			if (is_child)
				prctl(PR_SET_PDEATHSIG, SIGKILL);
		}
	}
}
Y
cc -O2 parent.c -o synthetic-parent || exit 1
cat > lib/parent.d <<'Y'
provider parent { probe work(int child) { synthetic-parent:work:entry { fire((int)arg0); } }; };
Y
./synthetic-parent &
shop=$!
await_exec $shop ./synthetic-parent
"$dtrace" -L lib -qn '
parent*:::work /!seen[arg0]/ { seen[arg0] = 1; printf("%s %d\n", args[0] ? "child" : "parent", probeprov == strjoin("parent", lltostr(pid))); }
parent*:::work /args[0]/ { exit(0); }' > out 2>&1 &
tracer=$!
await out parent
kill -USR1 $shop
wait $tracer
grep . out
close_shops $shop
