# Probes that come while tracing: a file that nobody had mapped when it began,
# a library that a process loads later; with -Z there may be none at first.
. "$suite/lib.sh"
# without links for many probes a semaphore is up before the program is there,
# and the process is faster than its tracer
need_speed "placing probes while a process waits for them"
# a provider that no other tracer of this machine asks for: it would set the program going
own=$(printf 'q%04x' $(($$ % 65536)) | tr 0-9 g-p)
sed "s/sites/$own/g" "$triggers/sites" > fresh
chmod +x fresh
# one clause, so that the semaphore goes up when all is in place
"$dtrace" -Zqn '
'$own'*:fresh:twice:, '$own'*:fresh:elsewhere:, '$own'*:fresh::guarded
{ @[probefunc, probename, probename == "guarded" ? 0 : arg0] = count(); last = probeprov; }
tick-10ms /!armed++/ { printf("armed\n"); }
END { printf("%s\n", last); }' > out 2>&1 &
tracer=$!
await out armed
./fresh traced
# another process of the same file needs no waiting
./fresh now &
two=$!
wait $two
# nor does one of another file of the same name, once that is known
mkdir other
cp fresh other/fresh
other/fresh traced
other/fresh now &
three=$!
wait $three
kill -INT $tracer
wait $tracer
grep -v -e armed -e '^$' out | sed "s/  */ /g; s/$own$three/sitesTHREE/"

# a library that is loaded later
cat > plugin.c <<'C'
#include <unistd.h>
#include "site.h"
SEMAPHORE(plugin_semaphore);
void plugin(int n)
{
	while (!plugin_semaphore)
		usleep(1000);
	asm volatile(SITE("plugin", "call", "plugin_semaphore", "-4@%%edi 8@%%rdi") :: "D"(n));
}
C
cat > main.c <<'C'
#include <dlfcn.h>
int main(void)
{
	void (*plugin)(int) = (void (*)(int))dlsym(dlopen("./plugin.so", RTLD_NOW), "plugin");

	for (int i = 0; i < 7; i++)
		plugin(i);
	return 0;
}
C
cc -I"$suite/triggers" -shared -fPIC -o plugin.so plugin.c && cc -o main main.c || exit 1
"$dtrace" -Zqn 'plugin$target:::call { @[probemod, probefunc, probename] = sum(arg0); @n = count(); }
plugin$target:plugin.so:plugin:call { @exact["exact"] = count(); }' -c ./main 2>&1 | grep . | sed 's/  */ /g'
