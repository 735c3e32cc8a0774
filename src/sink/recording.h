/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* -x record: a file that keeps the facts of a run (facts/recording.h). */

#include "facts/sink.h"

/* NULL with a reason if the file cannot be written. */
struct sink *recording_open(const struct sink_setup *setup,
			    const char **problem);
