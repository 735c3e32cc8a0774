/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Frames without frame pointers around code that is made at run time: outer()
 * calls it, and it calls inner(), which calls getppid().
 */

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAME __attribute__((noinline, noclone, \
			     optimize("omit-frame-pointer", \
				      "no-optimize-sibling-calls")))

static volatile long sink;

FRAME static void inner(void)
{
	char room[72];

	memset(room, (int)sink, sizeof(room));
	sink = syscall(SYS_getppid) + room[3];
}

FRAME static void outer(void (*made)(void))
{
	char room[40];

	memset(room, (int)sink, sizeof(room));
	made();
	sink += room[3];
}
