/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probes that appear while tracing: a process starts, a library is loaded.
 *
 * Providers learn of them through shared memory, which is checked often,
 * because what fires before the probe is placed is missed.  When something has
 * appeared, the descriptions that ask for such probes are matched again.  New
 * probes get programs of their own with the clauses that they match, and these
 * are loaded and attached in addition to the others.
 *
 * 1. Maps already exist: a clause that had no probe must have been compiled
 *    before, for a silent probe that never fires, so that its variables and
 *    aggregations are there.
 * 2. What cannot be enabled is reported once and skipped; tracing continues.
 */
#include "run/internal.h"

enum { FOLLOW_NS = 20000000 };

void session_extend(struct session *session)
{
	uint64_t now = session_now();

	if (!session->follows || now < session->follow_due)
		return;
	session->follow_due = now + FOLLOW_NS;
	if (!registry_look(session->registry))
		return;
	/* something may wait until the next look */
	session->follow_due = now;
	size_t first = session->enablings.count;
	uint32_t group = session->ngroups;

	if (session_enable_more(session) <= 0)
		return;
	int error = session_prepare_more(session, first);

	if (!error)
		error = session_go_more(session, group);
	if (!error)
		return;
	session_warn(session,
		     "cannot enable probes that have come while tracing: %s",
		     session_error(session));
	session->error = NULL;
	session->error_number = 0;
}
