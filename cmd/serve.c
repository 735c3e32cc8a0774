/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --lsp: the language server, for editors.
 *
 * It is a program of its own (lsp.h), beside this one where both have been built, or
 * in libexec where they are installed.
 */
#include "cmd.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char *const places[] = {
	"dtrace-lsp",
	"../libexec/dtrace/dtrace-lsp",
};

int command_serve(int argc, char **argv)
{
	static char name[] = "dtrace-lsp";
	char *const words[] = { name, NULL };
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	/* some editors say how they talk to a server; there is no other way */
	if (argc > 1 || (argc == 1 && strcmp(argv[0], "--stdio"))) {
		complain("--lsp takes no operands");
		return EXIT_USAGE;
	}
	path[n > 0 ? n : 0] = '\0';
	char *slash = strrchr(path, '/');

	for (size_t i = 0; slash && i < sizeof(places) / sizeof(*places); i++) {
		size_t room = sizeof(path) - (size_t)(slash + 1 - path);

		if (snprintf(slash + 1, room, "%s", places[i]) < (int)room)
			execv(path, words);
		if (errno != ENOENT)
			break;
	}
	int error = errno;

	complain("failed to start the language server: %s", strerror(error));
	if (error == ENOENT)
		hint("it is in the package dtrace-lsp");
	return EXIT_FATAL;
}
