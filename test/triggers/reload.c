/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads a library and calls plugin() in it, once for every line that it reads;
 * before that it unloads the one of the line before.
 *
 *	reload LIBRARY
 */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static long calls;

static void call_back(void)
{
	calls += getppid() > 0;
}

int main(int argc, char **argv)
{
	char line[16];
	void *library = NULL;

	while (argc > 1 && fgets(line, sizeof(line), stdin)) {
		if (library)
			dlclose(library);
		library = dlopen(argv[1], RTLD_NOW);
		void (*call)(void (*)(void)) = library ?
			(void (*)(void (*)(void)))dlsym(library, "plugin") :
			NULL;

		if (!call)
			return 1;
		call(call_back);
	}
	return calls == 0;
}
