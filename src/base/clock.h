/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The clocks, in nanoseconds. */

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

/* As bpf_ktime_get_ns() has it. */
static inline uint64_t clock_monotonic(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline uint64_t clock_wall(void)
{
	return clock_ns(CLOCK_REALTIME);
}
