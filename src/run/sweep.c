/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of threads: elements of self->a[k] are removed when their thread
 * ends.  Only sessions with such arrays attach a program to the kernel's
 * tracepoint for ending threads (several, if one program cannot use that many
 * arrays).  It costs a thread without elements some ten nanoseconds.
 *
 * What a probe stores after that point of a thread's end (there is little left
 * that could fire) stays until tracing ends; nothing will find it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "provider/provider.h"
#include "run/internal.h"

static int prepare(struct session *session, const struct ir_program *program)
{
	struct bpf_problem problem = { 0 };
	struct bpf_code *code =
		bpf_generate(session->arena, program,
			     &(struct bpf_generate_config){
				     .kind = raw_tracepoint_kind,
				     .program_index = UINT32_MAX,
			     },
			     &problem);

	if (!code)
		return session_fail(session, -EINVAL, "%s", problem.text);
	session->sweeps = arena_grown(session->arena, session->sweeps,
				      session->nsweeps,
				      sizeof(*session->sweeps));
	session->sweeps[session->nsweeps++] = (struct sweep){ .code = code };
	return 0;
}

int sweep_prepare(struct session *session)
{
	const struct ir_program *program;
	uint32_t first = 0;
	int error = 0;

	while (!error &&
	       (program = lower_thread_exit(&session->lowering, &first)))
		error = prepare(session, program);
	return error;
}

int sweep_load(struct session *session)
{
	struct bpf_problem problem = { 0 };

	for (uint32_t i = 0; i < session->nsweeps; i++) {
		struct sweep *sweep = &session->sweeps[i];

		sweep->program = bpf_load(session->arena, sweep->code,
					  &session->maps, &raw_tracepoint_kind,
					  "thread_exit", 0, &problem);
		if (!sweep->program)
			return session_fail(session, -EINVAL, "%s",
					    problem.text);
	}
	return 0;
}

int sweep_attach(struct session *session)
{
	for (uint32_t i = 0; i < session->nsweeps; i++) {
		struct sweep *sweep = &session->sweeps[i];
		int fd = link_raw_tracepoint(sweep->program->fd,
					     "sched_process_exit");

		if (fd < 0)
			return session_fail(session, fd,
					    "cannot watch threads end: %s",
					    strerror(-fd));
		sweep->link = fd;
	}
	return 0;
}

void sweep_close(struct session *session)
{
	for (uint32_t i = 0; i < session->nsweeps; i++) {
		struct sweep *sweep = &session->sweeps[i];

		if (sweep->link > 0)
			close(sweep->link);
		sweep->link = 0;
		bpf_unload(sweep->program);
		sweep->program = NULL;
	}
}
