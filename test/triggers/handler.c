/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls at the end of chains of functions without frame pointers.
 *
 *	handler signal	main -> outer -> middle -> (SIGUSR2) -> catch -> inner
 *	handler clock	main -> outer -> middle -> clock_gettime(), for ever
 *	handler plain	main -> outer -> middle -> inner
 *	handler plugin FILE	the same, and inner is called by a library that
 *			was loaded when the program ran
 *	handler forked	the same as plain in a child, after fork()
 *
 * inner calls getppid().  "plain" and "signal" end right behind that.
 */
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FRAME __attribute__((noinline, noclone, \
			     optimize("omit-frame-pointer", \
				      "no-optimize-sibling-calls")))

static volatile long sink;
static char **arguments;

FRAME static void inner(void)
{
	char room[72];

	memset(room, (int)sink, sizeof(room));
	sink = syscall(SYS_getppid) + room[3];
}

FRAME static void catch(int number)
{
	inner();
	sink += number;
}

FRAME static void middle(void)
{
	char room[200];
	struct timespec now;

	memset(room, (int)sink, sizeof(room));
	if (!strcmp(arguments[1], "signal")) {
		raise(SIGUSR2);
	} else if (!strcmp(arguments[1], "clock")) {
		for (;;)
			clock_gettime(CLOCK_MONOTONIC, &now);
	} else if (!strcmp(arguments[1], "plugin")) {
		void *library = dlopen(arguments[2], RTLD_NOW);
		void (*call)(void (*)(void)) = library ?
			(void (*)(void (*)(void)))dlsym(library, "plugin") :
			NULL;

		if (call)
			call(inner);
	} else {
		inner();
	}
	sink += room[5];
}

FRAME static void outer(void)
{
	middle();
	sink++;
}

FRAME int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	arguments = argv;
	signal(SIGUSR2, catch);
	if (strcmp(argv[1], "forked") || !fork())
		outer();
	wait(NULL);
	return 0;
}
