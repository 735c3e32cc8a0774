/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What the tracer asks for (message.h), checked before anything is done. */

#include "message.h"

struct java_command {
	uint32_t kind;
	union {
		struct {
			uint32_t is_watched;
			char *class,
				*method; /* globs; NULL where there are none */
		};
		struct {
			uint32_t class_index, index, leaves, site, number,
				wants;
		};
		uint32_t word; /* bytes of strings; classes that may be used */
	};
};

/* False: it is none, or not whole.  To be freed in any case. */
bool command_read(uint32_t kind, const uint8_t *bytes, size_t size,
		  struct java_command *command);
void command_free(struct java_command *command);
