/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of threads: elements of self->a[k] that a thread leaves behind are
 * removed when it ends.  Only sessions with such arrays attach a program to
 * the kernel's tracepoint for ending threads (several, if a program cannot use
 * so many arrays); it costs a thread without elements some ten nanoseconds.
 *
 * What a probe stores after that point of a thread's end (there is little
 * left that could fire) stays until tracing ends; nobody will find it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "provider/provider.h"
#include "run/internal.h"

static int prepare(struct session *session, const struct ir_program *program)
{
	const char *error = NULL;
	struct bpf_code *code = bpf_generate(session->arena, program,
		&(struct bpf_generate_config){
			.kind = raw_tracepoint_kind,
			.program_index = UINT32_MAX,
		}, &error);

	if (!code)
		return session_fail(session, -EINVAL, "%s",
				    error ? error :
					    "cannot generate BPF code");
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
	const char *problem = NULL;

	for (uint32_t i = 0; i < session->nsweeps; i++) {
		struct sweep *sweep = &session->sweeps[i];

		sweep->program = bpf_load(session->arena, sweep->code,
					  &session->maps,
					  &raw_tracepoint_kind,
					  "thread_exit", false, &problem);
		if (!sweep->program)
			return session_fail(session, -EINVAL, "%s",
					    problem ? problem :
						      "the kernel refused a program");
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
