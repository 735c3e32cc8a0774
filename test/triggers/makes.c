/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that a process makes after tracing has begun, as JavaScript and Java
 * do: main -> outer -> two made functions with frame pointers -> inner, which
 * calls getppid().  outer and inner have none.
 *
 *	makes KIND [N]
 *
 * KIND is writable (one mapping that is both) or protected (written, then made
 * executable).  Before each of N rounds (default 1) new code is made, and
 * again as much 50 ms later.  Calls getppid() before the first, so that a
 * tracer knows the process as it was then.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "frameless.h"

/* push %rbp; mov %rsp,%rbp; mov $call,%rax; call *%rax; leave; ret */
static void make(uint8_t *at, void (*call)(void))
{
	static const uint8_t head[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8 };
	static const uint8_t tail[] = { 0xff, 0xd0, 0xc9, 0xc3 };

	memcpy(at, head, sizeof(head));
	memcpy(at + sizeof(head), &call, sizeof(call));
	memcpy(at + sizeof(head) + sizeof(call), tail, sizeof(tail));
}

static void (*make_two(int is_writable))(void)
{
	enum { SIZE = 4096, EACH = 64 };
	uint8_t *code = mmap(NULL, SIZE, PROT_READ | PROT_WRITE |
			     (is_writable ? PROT_EXEC : 0),
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		exit(1);
	make(code, inner);
	make(code + EACH, (void (*)(void))code);
	if (!is_writable && mprotect(code, SIZE, PROT_READ | PROT_EXEC))
		exit(1);
	return (void (*)(void))(code + EACH);
}

int main(int argc, char **argv)
{
	int is_writable = argc > 1 && !strcmp(argv[1], "writable");
	long rounds = argc > 2 ? atol(argv[2]) : 1;

	inner();
	usleep(50000);
	while (rounds--) {
		outer(make_two(is_writable));
		usleep(50000);
		outer(make_two(is_writable));
	}
	return 0;
}
