/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The monitor: the process that people start, and the only one that starts
 * others.
 *
 *	monitor (root)
 *	  server	speaks HTTP, without any privilege
 *	  inspector	compiles, traces nothing
 *	  worker ...	one for each instrumentation
 *
 * It speaks to the server over a socket pair, and believes nothing that comes
 * from there: what a worker is told is made here, of what is allowed.
 *
 * 1. Whoever dies takes all below along.  Children get SIGKILL when the monitor
 *    dies; workers, too, when the server does, because the other ends of their
 *    sockets are gone, and because the monitor kills them.
 * 2. A server that was killed is started again, with the same socket and token.
 *    It is told what was lost; that starts again when somebody asks for it.
 */

#include "live/settings.h"

/* Runs until it is told to end; returns the status to exit with. */
int monitor_run(struct settings *settings);
