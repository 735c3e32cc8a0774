/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The processes of this machine, for a user who looks for one: no kernel threads. */

#include <jansson.h>

json_t *processes_json(void);
