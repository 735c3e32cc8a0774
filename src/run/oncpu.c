/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program for vtimestamp (builtin/oncpu.c): generated with the others,
 * attached from before BEGIN until after END.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "builtin/oncpu.h"
#include "provider/provider.h"
#include "run/internal.h"

int session_oncpu_generate(struct session *session)
{
	const struct bpf_maps_config *sizes = &session->sizes;
	struct bpf_problem problem = { 0 };

	if (!session->lowering.oncpu.is_used)
		return 0;
	session->oncpu_code =
		bpf_generate(session->arena, oncpu_program(&session->lowering),
			     &(struct bpf_generate_config){
				     .kind = raw_tracepoint_kind,
				     .ring_size = sizes->ring_size,
				     .max_record = sizes->max_record,
			     },
			     &problem);
	if (session->oncpu_code)
		return 0;
	return session_fail(session, -EINVAL, "%s", problem.text);
}

int session_oncpu_start(struct session *session)
{
	const struct lower_session *lowering = &session->lowering;
	struct bpf_problem problem = { 0 };

	if (!session->oncpu_code)
		return 0;
	uint64_t now = session_now();

	for (uint32_t i = 0; i < lowering->oncpu.ncpus; i++)
		memcpy(session->maps.globals + lowering->oncpu.since +
			       i * sizeof(now),
		       &now, sizeof(now));
	session->oncpu_program = bpf_load(session->arena, session->oncpu_code,
					  &session->maps, &raw_tracepoint_kind,
					  "vtimestamp", 0, &problem);
	if (!session->oncpu_program)
		return session_fail(session, -EINVAL, "%s", problem.text);
	int fd = link_raw_tracepoint(session->oncpu_program->fd,
				     "sched_switch");

	if (fd < 0)
		return session_fail(
			session, fd,
			"cannot keep time on CPUs for vtimestamp: %s",
			strerror(-fd));
	session->oncpu_link = fd;
	return 0;
}

void session_oncpu_stop(struct session *session)
{
	if (session->oncpu_link > 0)
		close(session->oncpu_link);
	session->oncpu_link = 0;
	if (session->oncpu_program)
		bpf_unload(session->oncpu_program);
	session->oncpu_program = NULL;
}
