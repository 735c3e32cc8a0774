/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls getppid() at the end of a chain of functions with frame pointers:
 * main -> outer -> middle -> inner.
 *
 *	frames [N]
 *
 * Waits for SIGUSR1, makes N calls (default 1), waits for SIGUSR1 again so
 * that its symbols can be read while it is there, and ends.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAME __attribute__((noinline, noclone, \
			     optimize("no-omit-frame-pointer", \
				      "no-optimize-sibling-calls")))

static volatile long sink;

FRAME static void leaf(void)
{
	sink = 0;
}

FRAME static void inner(void)
{
	leaf();		/* functions that call nothing have no frame */
	long number = SYS_getppid;

	__asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
	sink = number;
}

FRAME static void middle(void)
{
	inner();
	sink++;
}

FRAME static void outer(void)
{
	middle();
	sink++;
}

FRAME int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 1;
	sigset_t set;
	int signal_number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &signal_number);
	while (count--)
		outer();
	sigwait(&set, &signal_number);
	return 0;
}
