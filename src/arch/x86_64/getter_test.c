/* SPDX-License-Identifier: Apache-2.0 */
/* Accessors, from their bytes, and functions that only look like them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "arch/arch.h"

#define NONE "not an accessor"
#define CODE(...) (const uint8_t[]){ __VA_ARGS__ }, \
		  sizeof((const uint8_t[]){ __VA_ARGS__ })

static const struct {
	const uint8_t *code;
	size_t size;
	const char *steps; /* "offset/size ..." */
} cases[] = {
	/* mov 0x3f18(%rdi),%rax; ret */
	{ CODE(0x48, 0x8b, 0x87, 0x18, 0x3f, 0, 0, 0xc3), "16152/8" },
	/* the same after endbr64 */
	{ CODE(0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x8b, 0x47, 0x58, 0xc3), "88/8" },
	/* mov (%rdi),%eax; ret */
	{ CODE(0x8b, 0x07, 0xc3), "0/4" },
	/* lea 0xa0(%rdi),%rax; ret */
	{ CODE(0x48, 0x8d, 0x87, 0xa0, 0, 0, 0, 0xc3), "160/0" },
	/* movzbl -1(%rdi),%eax; ret */
	{ CODE(0x0f, 0xb6, 0x47, 0xff, 0xc3), "-1/1" },
	/* mov 0x58(%rdi),%rax; mov 0x8(%rax),%eax; ret */
	{ CODE(0x48, 0x8b, 0x47, 0x58, 0x8b, 0x40, 0x08, 0xc3), "88/8 8/4" },
	/* with test %rax,%rax; je to the ret in between */
	{ CODE(0x48, 0x8b, 0x47, 0x58, 0x48, 0x85, 0xc0, 0x74, 0x04, 0x48, 0x8b,
	       0x40, 0x08, 0xc3),
	  "88/8 8/8" },
	/* where null is something else: je to xor */
	{ CODE(0x48, 0x8b, 0x47, 0x58, 0x48, 0x85, 0xc0, 0x74, 0x05, 0x48, 0x8b,
	       0x40, 0x08, 0xc3, 0x31, 0xc0, 0xc3),
	  NONE },
	/* from another argument: mov 0x58(%rsi),%rax */
	{ CODE(0x48, 0x8b, 0x46, 0x58, 0xc3), NONE },
	/* to another register: mov 0x58(%rdi),%rdx */
	{ CODE(0x48, 0x8b, 0x57, 0x58, 0xc3), NONE },
	/* arithmetic: mov 0x58(%rdi),%rax; add $0x1670,%rax */
	{ CODE(0x48, 0x8b, 0x47, 0x58, 0x48, 0x05, 0x70, 0x16, 0, 0, 0xc3),
	  NONE },
	/* reading through a narrow value */
	{ CODE(0x8b, 0x47, 0x58, 0x48, 0x8b, 0x40, 0x08, 0xc3), NONE },
	/* nothing at all: ret */
	{ CODE(0xc3), NONE },
	/* it does not end */
	{ CODE(0x48, 0x8b, 0x47), NONE },
	{ CODE(0x48, 0x8b, 0x87, 0x18), NONE },
	{ CODE(0x48, 0x8b, 0x47, 0x58), NONE },
};

static void test_accessors(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arch_getter getter;
		char steps[64] = "not an accessor";
		size_t n = 0;

		if (!arch_getter(cases[i].code, cases[i].size, &getter))
			getter.count = 0;
		for (unsigned s = 0; s < getter.count; s++)
			n += (size_t)snprintf(steps + n, sizeof(steps) - n,
					      "%s%d/%u", s ? " " : "",
					      getter.steps[s].offset,
					      getter.steps[s].size);
		assert_string_equal(steps, cases[i].steps);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accessors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
