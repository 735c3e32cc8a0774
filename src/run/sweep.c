/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of threads: elements of self->a[k] that a thread leaves behind are
 * removed when it ends.  Only sessions with such arrays attach this program,
 * to the kernel's tracepoint for ending threads; it costs a thread without
 * elements some ten nanoseconds.
 *
 * What a probe stores after that point of a thread's end (there is little
 * left that could fire) stays until tracing ends; nobody will find it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "provider/provider.h"
#include "run/internal.h"

int sweep_prepare(struct session *session)
{
	const char *error = NULL;
	struct ir_program *program = lower_thread_exit(&session->lowering);

	if (!program)
		return 0;
	session->sweep.code = bpf_generate(session->arena, program,
		&(struct bpf_generate_config){
			.kind = raw_tracepoint_kind,
			.program_index = UINT32_MAX,
		}, &error);
	if (session->sweep.code)
		return 0;
	return session_fail(session, -EINVAL, "%s",
			    error ? error : "cannot generate BPF code");
}

int sweep_load(struct session *session)
{
	const char *problem = NULL;

	if (!session->sweep.code)
		return 0;
	session->sweep.program = bpf_load(session->arena, session->sweep.code,
					  &session->maps,
					  &raw_tracepoint_kind,
					  "thread_exit", false, &problem);
	if (session->sweep.program)
		return 0;
	return session_fail(session, -EINVAL, "%s",
			    problem ? problem : "the kernel refused a program");
}

int sweep_attach(struct session *session)
{
	if (!session->sweep.program)
		return 0;
	int fd = link_raw_tracepoint(session->sweep.program->fd,
				     "sched_process_exit");

	if (fd < 0)
		return session_fail(session, fd,
				    "cannot watch threads end: %s",
				    strerror(-fd));
	session->sweep.link = fd;
	return 0;
}

void sweep_close(struct session *session)
{
	if (session->sweep.link > 0)
		close(session->sweep.link);
	session->sweep.link = 0;
	bpf_unload(session->sweep.program);
	session->sweep.program = NULL;
}
