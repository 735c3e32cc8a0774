/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints how many thousand times a second the time-stamp counter ticks.
 *
 * guest.py tells that to the kernels it boots: they would measure it against
 * emulated timers, and be wrong by factors when the emulator gets little time.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

struct reading {
	uint64_t ticks;
	uint64_t ns;
};

/* Both clocks at once: of several tries the one that was interrupted least. */
static struct reading read_both(void)
{
	struct reading best = { 0, 0 };
	uint64_t narrowest = UINT64_MAX;

	for (int i = 0; i < 100; i++) {
		struct timespec now;
		uint64_t before = __rdtsc();

		clock_gettime(CLOCK_MONOTONIC_RAW, &now);

		uint64_t width = __rdtsc() - before;

		if (width >= narrowest)
			continue;
		narrowest = width;
		best.ticks = before + width / 2;
		best.ns = (uint64_t)now.tv_sec * 1000000000 +
			  (uint64_t)now.tv_nsec;
	}
	return best;
}

int main(void)
{
	struct reading first = read_both();

	usleep(200000);

	struct reading last = read_both();

	printf("%.0f\n", (double)(last.ticks - first.ticks) * 1e6 /
			 (double)(last.ns - first.ns));
	return 0;
}
