/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The loop of a run, and on a terminal a line that says how far it is: time,
 * events, drops.
 */

#include <dtrace.h>
#include <stdio.h>

/* Until the run is over; `probe` as dtrace_work() takes it, or NULL. */
dtrace_workstatus_t work_until_done(dtrace_hdl_t *dtp, FILE *out,
				    dtrace_consume_probe_f *probe);
/* Removes the line, if it is there: something else is printed. */
void progress_clear(void);
