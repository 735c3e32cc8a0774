/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/instructions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* y: an instruction; h: only if there are hidden paths; n: not one. */
static void check(const uint8_t *code, uint64_t size, const char *wanted)
{
	struct instructions all;

	instructions_find(&all, code, size);
	for (uint64_t at = 0; at < size; at++) {
		char found = instructions_is_one(&all, at, false)  ? 'y'
			     : instructions_is_one(&all, at, true) ? 'h'
								   : 'n';

		if (found != wanted[at])
			fail_msg("%s: at %u: %c", wanted, (unsigned)at, found);
	}
	assert_false(instructions_is_one(&all, size, true));
	instructions_free(&all);
}

static void plain(void **state)
{
	/* push; je over the ret; ret; pop; ret */
	static const uint8_t code[] = { 0x55, 0x74, 0x01, 0xc3, 0x5d, 0xc3 };

	(void)state;
	check(code, sizeof(code), "yynyyy");
}

static void data(void **state)
{
	/* jmp over data; ret.  Decoded in line, the data swallows the ret. */
	static const uint8_t swallows[] = { 0xeb, 0x02, 0xc3, 0xb8,
					    0xc3, 0x90, 0x90, 0x90 };
	/* here it does not, and may be code that catches exceptions */
	static const uint8_t alike[] = { 0xeb, 0x02, 0xc3, 0xc3, 0xc3 };
	/* and this cannot be decoded at all */
	static const uint8_t unknown[] = { 0xeb, 0x01, 0x06, 0xc3 };

	(void)state;
	check(swallows, sizeof(swallows), "ynnnynnn");
	check(alike, sizeof(alike), "ynhhy");
	check(unknown, sizeof(unknown), "ynny");
}

static void switches(void **state)
{
	/* jmp *%rax; ret; nop; ret: any of them may be a case */
	static const uint8_t code[] = { 0xff, 0xe0, 0xc3, 0x90, 0xc3 };

	(void)state;
	check(code, sizeof(code), "ynyyy");
}

static void loops(void **state)
{
	/* a jump to itself, and one that leads before the start */
	static const uint8_t code[] = { 0x74, 0x02, 0xeb, 0xfe, 0xeb, 0x80 };

	(void)state;
	check(code, sizeof(code), "ynynyn");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),
		cmocka_unit_test(data),
		cmocka_unit_test(switches),
		cmocka_unit_test(loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
