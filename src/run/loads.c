/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load averages for programs (builtin/system.c): three words in D's globals,
 * fixed point with 16 fractional bits.
 */
#include <string.h>
#include <sys/sysinfo.h>

#include "run/internal.h"

void session_set_loads(struct session *session)
{
	struct sysinfo info;

	if (!session->lowering.loads.is_used || sysinfo(&info))
		return;
	for (size_t i = 0; i < sizeof(info.loads) / sizeof(info.loads[0]); i++)
		memcpy(session->maps.globals + session->lowering.loads.at +
			       i * sizeof(uint64_t),
		       &info.loads[i], sizeof(uint64_t));
}
