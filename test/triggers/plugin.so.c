/* SPDX-License-Identifier: Apache-2.0 */
/* A library for handler.c: calls what it is given, without a frame pointer. */
static volatile long sink;

__attribute__((noinline)) static void twice(void (*call)(void))
{
	char room[64];

	room[sink & 63] = 1;
	call();
	sink += room[5];
}

void plugin(void (*call)(void));
void plugin(void (*call)(void))
{
	twice(call);
	sink++;
}
