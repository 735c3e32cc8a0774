/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is traced while it is measured: calls of one kind, timed from inside.
 *
 *	workload syscall|function|usdt|keys
 *
 * For every line "N" on standard input it makes N calls and prints how many
 * nanoseconds one took.  It stays, so that one process can be measured under
 * one tracer after another.
 *
 *	syscall		getppid()
 *	function	bench_function(i, text), which does nothing
 *	usdt		the probe bench:call(i, text)
 *	keys		close(-1 - i): an argument that is new each time
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *const texts[] = {
	"select", "insert", "update", "delete from orders where id = 17",
};

/*
 * It uses a register that it must save, so it begins with a push, as most
 * functions do.  The kernel does a push itself; other instructions it
 * single-steps, and then the debug trap would dominate the measurement.
 */
__attribute__((noinline, noclone)) long bench_function(long i, const char *text)
{
	__asm__ volatile("" : : "r"(i), "r"(text) : "memory", "rbx");
	return i;
}

/* A probe as USDT tools expect it: a nop, and a note that says where it is. */
static inline void probe(long i, const char *text)
{
	__asm__ volatile(
		"990:	nop\n"
		"	.pushsection .note.stapsdt,\"\",\"note\"\n"
		"	.balign 4\n"
		"	.4byte 992f-991f, 994f-993f, 3\n"
		"991:	.asciz \"stapsdt\"\n"
		"992:	.balign 4\n"
		"993:	.8byte 990b\n"
		"	.8byte _.stapsdt.base\n"
		"	.8byte 0\n"
		"	.asciz \"bench\"\n"
		"	.asciz \"call\"\n"
		"	.asciz \"-8@%0 8@%1\"\n"
		"994:	.balign 4\n"
		"	.popsection\n"
		"	.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
		"	.weak _.stapsdt.base\n"
		"	.hidden _.stapsdt.base\n"
		"_.stapsdt.base: .space 1\n"
		"	.size _.stapsdt.base, 1\n"
		"	.popsection\n"
		: : "r"(i), "r"(text));
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void call(const char *kind, long count)
{
	static long key;

	if (!strcmp(kind, "syscall"))
		for (long i = 0; i < count; i++)
			syscall(SYS_getppid);
	else if (!strcmp(kind, "keys"))
		for (long i = 0; i < count; i++)
			close((int)(-1 - key++));
	else if (!strcmp(kind, "function"))
		for (long i = 0; i < count; i++)
			bench_function(i, texts[i & 3]);
	else
		for (long i = 0; i < count; i++)
			probe(i, texts[i & 3]);
}

int main(int argc, char **argv)
{
	char line[64];

	if (argc != 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		long count = atol(line);
		double start = now();

		call(argv[1], count);
		printf("%.3f\n", (now() - start) / (double)count);
	}
	return 0;
}
