/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watching: the wait of a session, and the processes whose end is its end.
 *
 * The consumer sleeps until a time that it chose, or until exit() was called, a
 * signal arrived, or one of the targets is gone.  When the last of them is
 * gone, the run is over; a session without targets continues until something
 * else ends it.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/symbols.h"
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
		session->consumer.target = pid;
	}
	processes_set_target(session->processes, (pid_t)pid, target);
	/* so that its addresses have names after it has exited */
	if (!target_is_held(target))
		session_note(session, target);
}

void session_note(struct session *session, const struct target *target)
{
	symbols_note_process(session->live.symbols,
			     (uint32_t)target_pid(target));
}

/*
 * The only step in which commands run before they are released: to the point
 * that evaltime names, where they are held again.
 */
void session_settle(struct session *session)
{
	int64_t moment = option_number(session->config.options,
				       OPTION_EVALTIME);

	for (uint32_t i = 0; i < session->ntargets; i++)
		target_settle(session->targets[i].target, session->processes,
			      (enum target_moment)moment);
}

int session_complete(struct session *session, struct program *program)
{
	if (!program_waits(program))
		return 0;
	session_settle(session);
	return language_complete(session->language, program) ? 0 : -EINVAL;
}

void session_unwatch(struct session *session, const struct target *target)
{
	uint32_t kept = 0;

	processes_set_target(session->processes, target_pid(target), NULL);

	for (uint32_t i = 0; i < session->ntargets; i++)
		if (session->targets[i].target != target)
			session->targets[kept++] = session->targets[i];
	session->ntargets = kept;
}

/* After exit() the end of a process is not reported: the run is over. */
static void look_at_targets(struct session *session)
{
	bool is_over;

	session_exit_status(session, &is_over);
	for (uint32_t i = 0; i < session->ntargets; i++) {
		struct watched *watched = &session->targets[i];

		if (watched->is_gone || !target_is_gone(watched->target))
			continue;
		watched->is_gone = true;
		if (session->poll_fd > 0)
			epoll_ctl(session->poll_fd, EPOLL_CTL_DEL,
				  target_fd(watched->target), NULL);
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

		/* poll(2) ignores negative descriptors */
		session->polls[POLL_TARGETS + i].fd =
			watched->is_gone ? -1 : target_fd(watched->target);
	}
	for (uint32_t i = 0; i < count; i++)
		session->polls[i].events = POLLIN;
	ppoll(session->polls, count, timeout, NULL);
	look_at_targets(session);
}

/* ------------------------------------------- other event loops */

static bool watch_fd(const struct session *session, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return !epoll_ctl(session->poll_fd, EPOLL_CTL_ADD, fd, &event);
}

void session_set_alarm(struct session *session, uint64_t due)
{
	struct itimerspec when = {
		.it_value = { .tv_sec = (time_t)(due / 1000000000ull),
			      .tv_nsec = (long)(due % 1000000000ull) },
	};

	if (session->alarm_fd > 0)
		timerfd_settime(session->alarm_fd, TFD_TIMER_ABSTIME, &when,
				NULL);
}

/* A process that has ended polls as readable from then on, as it should. */
int session_fd(struct session *session)
{
	if (session->poll_fd > 0)
		return session->poll_fd;
	if (!session->is_tracing)
		return -1;
	session->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	session->alarm_fd = timerfd_create(CLOCK_MONOTONIC,
					   TFD_CLOEXEC | TFD_NONBLOCK);
	if (session->poll_fd < 0 || session->alarm_fd < 0 ||
	    !watch_fd(session, session->alarm_fd) ||
	    !watch_fd(session, session->maps.control_fd) ||
	    !watch_fd(session, session->wake_fd))
		return -1;
	for (uint32_t i = 0; i < session->ntargets; i++)
		if (!session->targets[i].is_gone)
			watch_fd(session,
				 target_fd(session->targets[i].target));
	session_set_alarm(session, 1);
	return session->poll_fd;
}
