/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for known times in two ways: 5 times 20 ms in nanosleep(), 3 times
 * 30 ms in poll().
 */
#include <poll.h>
#include <time.h>

int main(void)
{
	const struct timespec twenty = { .tv_nsec = 20 * 1000 * 1000 };

	for (int i = 0; i < 5; i++)
		nanosleep(&twenty, 0);
	for (int i = 0; i < 3; i++)
		poll(0, 0, 30);
	return 0;
}
