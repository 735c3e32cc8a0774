# Memory that many keys took is given back while tracing, when they do not come back.
# When they do they are counted as before: nothing is lost or counted twice.
. "$test/../../lib.sh"
keys=300000
[ "$again" = kernel ] && keys=200000
cat > keys.c <<'C'
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline, noclone)) long called(long i)
{
	__asm__ volatile("" : : "r"(i) : "memory", "rbx");
	return i;
}

/* For every line that is read: so many keys, and a line. */
int main(int argc, char **argv)
{
	char line[32];

	(void)argv;
	while (fgets(line, sizeof(line), stdin)) {
		long n = 0;

		sscanf(line, "%ld", &n);
		for (long i = 0; i < n; i++)
			argc > 1 ? called(i) : syscall(SYS_lseek, -1, i, 0);
		printf("done %s", line + 7);
		fflush(stdout);
	}
	return 0;
}
C
cc -O1 -o keys keys.c || exit 1

# 6.1 does not say how much memory such a map takes now: count its elements.
cat > elements.c <<'C'
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	union bpf_attr attr = { .map_id = argc > 1 ? (unsigned)atoi(argv[1]) : 0 };
	long fd = syscall(SYS_bpf, BPF_MAP_GET_FD_BY_ID, &attr, sizeof(attr));
	unsigned long long key, *last = NULL;
	int n = 0;

	if (fd < 0)
		return 1;
	for (;;) {
		attr = (union bpf_attr){ .map_fd = (unsigned)fd, .key = (unsigned long)last, .next_key = (unsigned long)&key };
		if (syscall(SYS_bpf, BPF_MAP_GET_NEXT_KEY, &attr, sizeof(attr)))
			break;
		last = &key;
		n++;
	}
	printf("%d\n", n);
	return 0;
}
C
cc -O1 -o elements elements.c || exit 1

# chunks that the tracer has: its only hash table with elements of kilobytes
chunks() {
	./elements $(awk '$1 == "map_type:" { type = $2 } $1 == "value_size:" { size = $2 }
		$1 == "map_id:" && type == 1 && size > 8000 { print $2 }' /proc/$tracer/fdinfo/*)
}

# trace NAME COMMAND PROBE KEY OPTIONS
trace() {
	rm -f orders; mkfifo orders
	name=$1 command=$2 probe=$3 key=$4
	shift 4
	"$dtrace" -q -x aggrate=100ms "$@" -c "$command" -n "$probe { @[$key] = sum(1); }
		tick-100ms { printa(\"n %@d %d\n\", @); trunc(@); } tick-10ms /!armed/ { armed = 1; printf(\"armed\n\"); }
		END { printa(\"n %@d %d\n\", @); }" < orders > out 2> err &
	tracer=$!
	exec 3> orders
	await out armed
	for round in 1 2; do
		# until all are there, or idle keys in tables would make room for others
		kill -STOP $tracer
		echo "$keys $round" >&3
		await out "done $round"
		[ "$(chunks)" -gt 100 ] || echo "$name, round $round: few chunks"
		kill -CONT $tracer
		for _ in $(seq $looks); do
			left=$(chunks) || left=none
			[ "$left" = 0 ] && break
			kill -0 $tracer || break
			sleep 0.05
		done
		[ "$left" = 0 ] || echo "$name, round $round: $left chunks are left"
	done
	exec 3>&-
	wait $tracer
	awk -v keys=$keys '$1 == "n" { seen[$3] += $2 } /aggregation drop/ { drops += $2 }
		END { for (key in seen) { distinct++; if (seen[key] != 2) odd++ }
			print distinct == keys ? "every key" : distinct " keys", odd ? odd " of them wrong" : "twice", drops ? "drops" : "no drops" }' out err |
		sed "s/^/$name: /"
}
trace "no option" ./keys 'syscall::lseek:entry /pid == $target && (int)arg0 == -1/' arg1
trace "by CPU" ./keys 'syscall::lseek:entry /pid == $target && (int)arg0 == -1/' arg1 -x aggpercpu
trace "user probes" "./keys called" 'pid$target:a.out:called:entry' arg0
