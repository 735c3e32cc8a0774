/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What vtimestamp needs beside the programs that mention it; see oncpu.c. */

#include "ir/lower.h"

/* For the raw tracepoint sched_switch; only when session->oncpu.is_used. */
struct ir_program *oncpu_program(struct lower_session *session);
