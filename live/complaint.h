/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What is wrong with a D program, as JSON for the page's editor. */

#include <dtrace.h>
#include <jansson.h>

json_t *complaint_json(const dtrace_complaint_ext_t *complaint);
/* Text of others; what is no UTF-8 becomes visible. */
json_t *text_json(const char *text);
