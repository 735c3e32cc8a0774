/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What d_text.c does with a program that the checker has accepted: lower it,
 * interpret it, and generate code for it.
 */

#include "ir/lower.h"

/* How the input is taken: its first byte. */
enum how {
	HOW_SPEC = 7,	 /* modulo 6: a script, or the argument of -P, -n ... */
	HOW_WORDS = 8,	 /* its first line is words of the command line */
	HOW_SPLIT = 16,	 /* as if programs were too long */
	HOW_SLEEPS = 32, /* programs may sleep, and overlap */
	HOW_SMALL = 64,	 /* buffers are small, and not drained */
	HOW_KERNEL = 128, /* with this kernel's types, which take time */
};

/* The clauses of one probe, as one group; all groups share the session. */
struct d_group {
	struct lower_session *session;
	const struct options *options;
	const struct probe_info *probe;
	const struct clause **clauses, **errors;
	uint32_t nclauses, nerrors;
	unsigned how;
};

void d_session_start(struct lower_session *session, struct language *language);
/* Aborts if something is wrong, and says what. */
void d_group_try(const struct d_group *group);
