# Libraries that a process loads while it is traced: descriptions that match
# nothing at first, globs that match more, a second file of the same name, and
# another program, which is not what was asked for.
. "$suite/lib.sh"
cat > plugin.c <<'C'
#include <signal.h>
#include <unistd.h>
static volatile int is_traced;
long work(long n) { return n * 3 + OWN; }
long rest(long n) { return n * 5 + OWN; }
/* the last one to be probed; the probe sends a signal */
void hello(void) { }
static void hear(int number) { is_traced = number; }
long plugin(int count)
{
	long sum = 0;

	signal(SIGUSR1, hear);
	while (!is_traced) {
		hello();
		usleep(1000);
	}
	for (int i = 0; i < count; i++)
		sum += work(i) + rest(i);
	return sum;
}
C
cat > main.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void load(const char *path, int count)
{
	void *library = dlopen(path, RTLD_NOW);
	long (*plugin)(int) = (long (*)(int))dlsym(library, "plugin");

	plugin(count);
}
__attribute__((noinline)) void ready(void) { __asm__(""); }
int main(int argc, char **argv)
{
	ready();
	for (int i = 1; i + 1 < argc; i += 2) {
		load(argv[i], atoi(argv[i + 1]));
		/* children are processes of their own */
		if (!fork())
			_exit(0);
		wait(NULL);
	}
	if (argc % 2 == 0)
		execl(argv[argc - 1], argv[argc - 1], (char *)0);
	return 0;
}
C
mkdir -p one two
cc -DOWN=1 -shared -fPIC -o one/plugin1.so plugin.c &&
	cc -DOWN=2 -shared -fPIC -o two/plugin1.so plugin.c &&
	cc -o main main.c || exit 1
tidy() { grep . | sed 's/  */ /g; s/^ //' | sort; }
# Trace `main $3 ...` with options $1 and program $2.
trace() {
	options=$1 program=$2
	shift 2
	# shellcheck disable=SC2086
	"$dtrace" $options -wqn "$program"' pid$target::hel[l]o:entry { raise(SIGUSR1); }' -c "./main $*" 2>&1
}
echo nothing at first
trace -Z 'pid$target:plugin*:work:entry, pid$target:plugin*:rest:entry
	{ @[probemod, probefunc, probename] = count(); @sum[probefunc] = sum(arg0); }
	pid$target:plugin1.so:work:return { @[probemod, probefunc, probename] = count(); @results = sum(arg1); }' \
	one/plugin1.so 10 | tidy
echo clauses that meet later
trace -Z 'pid$target:plugin*:w*: { @[probefunc, probename == "return"] = count(); }
	pid$target:plugin*:[rw]*:return { @[probefunc, 2] = count(); }' \
	one/plugin1.so 10 | grep -v ' 0 ' | tidy
echo without -Z
"$dtrace" -qn 'pid$target:plugin1.so:work:entry { }' -c './main one/plugin1.so 10' 2>&1 | head -1 | sed 's/pid[0-9][0-9]*/pidN/'
echo a glob that matches something at first
trace -Z 'pid$target::re[as]*:entry { @[probemod, probefunc] = count(); }' \
	one/plugin1.so 10 | grep -e ' ready ' -e ' rest ' | tidy
echo all functions
trace -Z 'pid$target:::entry { @[probemod, probefunc] = count(); }' \
	one/plugin1.so 10 | grep -e ' ready ' -e ' work ' -e ' rest ' | tidy
echo two files of one name
trace -Z 'pid$target:plugin1.so:work:entry, pid$target:plugin1.so:rest:entry { @[probemod, probefunc] = count(); }' \
	one/plugin1.so 10 two/plugin1.so 7 | tidy
echo another program
cat > other.c <<'C'
#include <unistd.h>
__attribute__((noinline)) long work(long n) { __asm__(""); return n; }
int main(void) { usleep(200000); for (int i = 0; i < 5; i++) work(i); return 0; }
C
cc -o other other.c || exit 1
trace -Z 'pid$target::work:entry, pid$target::rest:entry { @[probemod, probefunc] = count(); }' \
	one/plugin1.so 10 ./other | tidy
