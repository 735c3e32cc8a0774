/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watching: the wait of a session, and the processes whose end is its end.
 *
 * The consumer sleeps until a moment that it chose, or until exit() was
 * called, a signal came, or one of the targets is gone.  When the last of them
 * is gone the run is over; a session without targets goes on until something
 * else ends it.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "proc/symbols.h"
#include "provider/provider.h"
#include "run/internal.h"

enum { POLL_CONTROL, POLL_WAKE, POLL_TARGETS };

void session_watch(struct session *session, struct target *target)
{
	uint32_t count = ++session->ntargets;
	uint32_t pid = (uint32_t)target_pid(target);

	session->targets = must_realloc(session->targets,
					count * sizeof(*session->targets));
	session->targets[count - 1] = (struct watched){ .target = target };
	if (count == 1) {
		language_set_target(session->language, pid);
		session->printer.target = pid;
	}
	/* so that its addresses have names when it is gone */
	if (!target_is_held(target))
		session_note(session, target);
}

void session_note(struct session *session, const struct target *target)
{
	symbols_note_process(session->printer.symbols,
			     (uint32_t)target_pid(target));
}

void session_settle(struct session *session)
{
	for (uint32_t i = 0; i < session->ntargets; i++)
		if (target_is_held(session->targets[i].target))
			pid_settle(session->registry,
				   target_pid(session->targets[i].target));
}

void session_unwatch(struct session *session, const struct target *target)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < session->ntargets; i++)
		if (session->targets[i].target != target)
			session->targets[kept++] = session->targets[i];
	session->ntargets = kept;
}

/* After exit() the end of a process is no news: the run is over. */
static void look_at_targets(struct session *session)
{
	bool is_over;

	session_exit_status(session, &is_over);
	for (uint32_t i = 0; i < session->ntargets; i++) {
		struct watched *watched = &session->targets[i];

		if (watched->is_gone || !target_is_gone(watched->target))
			continue;
		watched->is_gone = true;
		if (session->config.ended && !is_over)
			session->config.ended(session->config.context,
					      watched->target);
	}
}

bool session_targets_gone(const struct session *session)
{
	for (uint32_t i = 0; i < session->ntargets; i++)
		if (!session->targets[i].is_gone)
			return false;
	return session->ntargets != 0;
}

void session_sleep(struct session *session, const struct timespec *timeout)
{
	uint32_t count = POLL_TARGETS + session->ntargets;

	session->polls = must_realloc(session->polls,
				      count * sizeof(*session->polls));
	session->polls[POLL_CONTROL].fd = session->maps.control_fd;
	session->polls[POLL_WAKE].fd = session->wake_fd;
	for (uint32_t i = 0; i < session->ntargets; i++) {
		const struct watched *watched = &session->targets[i];

		/* poll(2) passes over what is negative */
		session->polls[POLL_TARGETS + i].fd =
			watched->is_gone ? -1 : target_fd(watched->target);
	}
	for (uint32_t i = 0; i < count; i++)
		session->polls[i].events = POLLIN;
	ppoll(session->polls, count, timeout, NULL);
	look_at_targets(session);
}
