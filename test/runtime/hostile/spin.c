/* SPDX-License-Identifier: Apache-2.0 */
/* What hostile programs are made of: main -> outer -> inner, which calls
 * getppid() until it is killed. */
#include <unistd.h>

struct thing {
	int first, second;
};

static volatile long sink;

__attribute__((noinline, noclone)) void inner(struct thing *thing)
{
	sink += getppid() + thing->first;
	usleep(1000);
}

__attribute__((noinline, noclone)) void outer(struct thing *thing)
{
	inner(thing);
	sink++;
}

int main(void)
{
	struct thing thing = {1, 2};

	for (;;)
		outer(&thing);
}
