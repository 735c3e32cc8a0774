/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The processes that may trace.  The monitor starts them, with these descriptors,
 * and they end with whoever holds the other ends.
 */
enum {
	WORKER_WIRE = 3, /* facts, as a recording (worker only) */
	WORKER_TALK = 4, /* JSON lines, both ways */
};

/* One instrumentation: compiles, traces, reports until it is told to stop. */
int worker_main(void);
/* Answers questions about programs and processes; traces nothing. */
int inspector_main(void);
