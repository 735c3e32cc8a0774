/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled code of V8: where in which functions an instruction is.
 */
#include <stdlib.h>

#include "runtime/v8.h"

int64_t v8_baseline(struct runtime_process *process, uint64_t shared,
		    uint64_t pc)
{
	(void)process; (void)shared; (void)pc;
	return -1;
}

unsigned v8_optimised(struct runtime_process *process, uint64_t code,
		      uint64_t pc, struct runtime_frame *frames,
		      const char **why)
{
	const struct v8 *v8 = process->own;
	uint64_t data = v8_field(process, code, v8->meta[V8_CODE_DATA]);
	uint64_t shared = v8_element(process, data,
				     (uint64_t)v8->meta[V8_DEOPT_SHARED]);

	(void)pc;
	*why = "optimised code does not say whose it is";
	if (v8_type(process, shared) != v8->meta[V8_IS_SHARED])
		return 0;
	return v8_function(process, shared, -1, &frames[0], why);
}
