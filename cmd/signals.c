/* SPDX-License-Identifier: Apache-2.0 */
#include "signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

void signals_catch(void (*handler)(int number))
{
	struct sigaction action, hangup;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	/* output that waits for its reader keeps waiting */
	action.sa_flags = SA_RESTART;
	sigemptyset(&action.sa_mask);
	/* A shell ignores SIGINT for what it starts with &; kill -INT must
	 * work. */
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
}
