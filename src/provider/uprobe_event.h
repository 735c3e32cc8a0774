/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Many user probes in one event of tracefs: for kernels without links for
 * many probes.  See uprobe_event.c.
 */

#include "provider/uprobe.h"

/* Can many sites of a group be identified by their addresses alone? */
bool uprobe_event_suits(const struct uprobe_sites *sites);
/* select() for a group whose select_data is built by uprobe_event_table(). */
const void *uprobe_event_table(struct arena *arena,
			       const struct uprobe_sites *sites);
ir_reg uprobe_event_select(struct lower *lower);
/*
 * Create the event and attach the program to it.  Descriptors go into the
 * attachment; *guard is for uprobe_event_remove(), when they are closed.  0 or
 * a negative errno.
 */
int uprobe_event_attach(struct attachment *attachment, int program_fd,
			const struct uprobe_sites *sites, int *guard);
void uprobe_event_remove(int guard);
