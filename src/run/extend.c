/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probes that come while tracing: a process that starts, a library that is
 * loaded.
 *
 * Providers hear of them in shared memory, which is looked at often, because
 * what fires before the probe is placed is not seen.  When something has come,
 * the descriptions that ask for such probes are matched again; new probes get
 * programs of their own with the clauses that they match, and these are loaded
 * and attached beside the others.
 *
 * 1. Maps have been made: a clause that no probe had must have been compiled
 *    before, for a silent probe that never fires, so that its variables and
 *    aggregations are there.
 * 2. What cannot be enabled is said once and left out; tracing goes on.
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
	size_t first = session->enablings.count;
	uint32_t group = session->ngroups;

	if (session_enable_more(session) <= 0)
		return;
	int error = session_prepare_more(session, first);

	if (!error)
		error = session_go_more(session, group);
	if (!error)
		return;
	session_warn(session, "cannot enable probes that have come while tracing: %s",
		     session_error(session));
	session->error = NULL;
	session->error_number = 0;
}
