# Probes of a shared library: exceptions of C++, in two processes, of which one
# is traced.
. "$suite/lib.sh"
command -v g++ > /dev/null || skip "no C++ compiler is installed"
cat > throw.cc <<'CC'
#include <csignal>
#include <cstdlib>
#include <stdexcept>
int main(int, char **argv)
{
	sigset_t set;
	int number, caught = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, nullptr);
	sigwait(&set, &number);
	for (int i = 0; i < atoi(argv[1]); i++) {
		try {
			throw std::runtime_error("no");
		} catch (std::exception &) {
			caught++;
		}
	}
	return caught != atoi(argv[1]);
}
CC
g++ -o throw throw.cc || exit 1
./throw 30 &
one=$!
./throw 20 &
two=$!
await_ready $one
await_ready $two
"$dtrace" -qn "libstdcxx$one:::throw, libstdcxx$one:libstdc*:: { @[probemod, probefunc, probename] = count(); }
tick-10ms /!armed++/ { printf(\"armed\\n\"); }" > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $one $two
wait $one && wait $two && echo caught
kill -INT $tracer
wait $tracer
grep -v -e armed -e '^$' out | sed 's/  */ /g; s/so\.6\.[.0-9]*/so.6/'
