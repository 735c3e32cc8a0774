/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* The same as duration, with a probe on the instruction that returns. */
#define LEAVE "uprobe"
#include "duration.bpf.c"
