/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that is made at run time: main -> outer -> two made functions ->
 * inner, which calls getppid().  The made ones have frame pointers, as those
 * of JavaScript do; outer and inner have none.  Their names are in
 * /tmp/perf-PID.map.
 *
 *	jit [N]
 *
 * Does that N times (default 1).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "frameless.h"

/* push %rbp; mov %rsp,%rbp; sub $32,%rsp; mov $call,%rax; call *%rax; leave; ret */
static uint8_t *make(uint8_t *at, void (*call)(void))
{
	static const uint8_t head[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83,
					0xec, 0x20, 0x48, 0xb8 };
	static const uint8_t tail[] = { 0xff, 0xd0, 0xc9, 0xc3 };

	memcpy(at, head, sizeof(head));
	memcpy(at + sizeof(head), &call, sizeof(call));
	memcpy(at + sizeof(head) + sizeof(call), tail, sizeof(tail));
	return at;
}

int main(int argc, char **argv)
{
	enum { SIZE = 4096, EACH = 64 };
	long count = argc > 1 ? atol(argv[1]) : 1;
	uint8_t *code = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];

	if (code == MAP_FAILED)
		return 1;
	make(code, inner);
	make(code + EACH, (void (*)(void))code);
	if (mprotect(code, SIZE, PROT_READ | PROT_EXEC))
		return 1;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	FILE *map = fopen(path, "w");

	if (!map)
		return 1;
	fprintf(map, "%lx %x called script.js:1\n", (long)code, EACH);
	fprintf(map, "%lx %x calling with blanks script.js:2\n",
		(long)code + EACH, EACH);
	fclose(map);
	while (count--)
		outer((void (*)(void))(code + EACH));
	/* so that the map can be read */
	sleep(argc > 2 ? (unsigned)atoi(argv[2]) : 0);
	unlink(path);
	return 0;
}
