# A million keys in one aggregation, as fast as they can come, need no option: all are there, none twice, no drops.
. "$test/../../lib.sh"
keys=1000000
[ "$again" = kernel ] && keys=150000
cat > keys.c <<'C'
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline, noclone)) long called(long i)
{
	__asm__ volatile("" : : "r"(i) : "memory", "rbx");
	return i;
}

int main(int argc, char **argv)
{
	for (long i = 0; argc > 1 && i < atol(argv[1]); i++)
		argc > 2 ? called(i) : syscall(SYS_lseek, -1, i, 0);
	return 0;
}
C
cc -O1 -o keys keys.c || exit 1
probe='syscall::lseek:entry /pid == $target && (int)arg0 == -1/'

# trace OPTIONS 'CLAUSES': what was counted, how often, and what was lost
count() {
	awk -v keys=$keys '$1 == "n" { sum += $2; seen[$3] += $2 } /aggregation drop/ { drops += $2 }
		END { for (key in seen) { distinct++; if (seen[key] != 1) odd++ }
			print distinct == keys ? "every key" : (distinct > 0 ? "some keys" : "no keys"),
				odd ? odd " of them wrong" : "each once",
				drops ? "drops" : "no drops", sum + drops == keys ? "exact" : sum " + " drops }' "$@"
}
"$dtrace" -q -c "./keys $keys" -n "$probe"' { @[arg1] = sum(1); } END { printa("n %@d %d\n", @); }' > out 2> err
echo "no option: $(count out err)"
# three times what tables have room for is enough for the rest
[ $keys -gt 200000 ] && keys=200000
"$dtrace" -q -x aggsize=64k -c "./keys $keys" -n "$probe"' { @[arg1] = sum(1); } END { printa("n %@d %d\n", @); }' > out 2> err
echo "aggsize=64k: $(count out err)"
# shown and removed again and again while they come: nothing is lost or shown twice
"$dtrace" -q -c "./keys $keys" -n "$probe"' { @[arg1] = count(); }
	tick-50ms { printa("n %@d %d\n", @); trunc(@); } END { printa("n %@d %d\n", @); }' > out 2> err
echo "trunc: $(count out err)"
# at user probes, where programs may sleep, tables give no room back
keys=100000
"$dtrace" -q -c "./keys $keys called" -n 'pid$target:a.out:called:entry { @[arg0] = count(); } END { printa("n %@d %d\n", @); }' > out 2> err
echo "user probes: $(count out err)"
