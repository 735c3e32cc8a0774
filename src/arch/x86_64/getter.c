/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are accessors, by their instructions:
 *
 *	[endbr64]
 *	[test %rdi,%rdi; je		as below]
 *	mov 0x25f8(%rdi),%rax		reads, or lea: only the address
 *	test %rax,%rax			a pointer that may be null:
 *	je  to [xor %eax,%eax] ret	null is returned
 *	mov 0x8(%rax),%rax
 *	ret
 *
 * Compilers write nothing else for p->a->b; what differs in any way is not an
 * accessor.
 */
#include "arch/arch.h"

#include <string.h>

enum { RAX = 0, RDI = 7, LONGEST = 64 };

/* An address with one register and an offset; its length, or 0. */
static size_t take_address(const uint8_t *code, size_t size, unsigned base,
			   int32_t *offset)
{
	if (!size)
		return 0;
	unsigned mod = code[0] >> 6, reg = code[0] >> 3 & 7, rm = code[0] & 7;

	if (reg != RAX || rm != base || mod == 3)
		return 0;
	if (mod == 0) {
		*offset = 0;
		return 1;
	}
	if (mod == 1) {
		if (size < 2)
			return 0;
		*offset = (int8_t)code[1];
		return 2;
	}
	if (size < 5)
		return 0;
	memcpy(offset, code + 1, sizeof(*offset));
	return 5;
}

/* mov, movzx or lea from the register to rax; its length, or 0. */
static size_t take_step(const uint8_t *code, size_t size, unsigned base,
			struct arch_getter_step *step)
{
	static const struct {
		uint8_t bytes[2], length, size;
	} forms[] = {
		{ { 0x48, 0x8b }, 2, 8 }, /* mov to rax */
		{ { 0x48, 0x8d }, 2, 0 }, /* lea */
		{ { 0x8b }, 1, 4 },	  /* mov to eax */
		{ { 0x0f, 0xb7 }, 2, 2 }, /* movzx */
		{ { 0x0f, 0xb6 }, 2, 1 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		size_t length = forms[i].length;

		if (size < length || memcmp(code, forms[i].bytes, length))
			continue;
		size_t rest = take_address(code + length, size - length, base,
					   &step->offset);

		step->size = forms[i].size;
		return rest ? length + rest : 0;
	}
	return 0;
}

/* Does 0 return from here?  Of rax only, if nothing sets it. */
static bool returns_null(const uint8_t *code, size_t size, unsigned base)
{
	static const uint8_t clear[] = { 0x31, 0xc0 }; /* xor %eax,%eax */

	if (size > sizeof(clear) && !memcmp(code, clear, sizeof(clear)))
		return arch_is_return(code + sizeof(clear),
				      size - sizeof(clear));
	return base == RAX && arch_is_return(code, size);
}

/* test %rax,%rax or %rdi,%rdi; je to where null is returned: its length, or 0. */
static size_t take_null_test(const uint8_t *code, size_t size, unsigned base)
{
	const uint8_t test[] = { 0x48, 0x85, base == RAX ? 0xc0 : 0xff, 0x74 };
	size_t length = sizeof(test) + 1;

	if (size < length || memcmp(code, test, sizeof(test)))
		return 0;
	size_t target = length + code[sizeof(test)];

	return code[sizeof(test)] < 0x80 && target < size &&
			       returns_null(code + target, size - target, base)
		       ? length
		       : 0;
}

/* Can what was read lead further? */
static bool is_pointer(const struct arch_getter *getter)
{
	return !getter->count || getter->steps[getter->count - 1].size == 8;
}

bool arch_getter(const uint8_t *code, size_t size, struct arch_getter *getter)
{
	if (size > LONGEST)
		size = LONGEST;
	size_t at = arch_landing_pad(code, size);

	*getter = (struct arch_getter){ 0 };
	while (at < size && !arch_is_return(code + at, size - at)) {
		struct arch_getter_step *step = &getter->steps[getter->count];
		unsigned base = getter->count ? RAX : RDI;

		if (getter->count == ARCH_GETTER_STEPS || !is_pointer(getter))
			return false;
		at += take_null_test(code + at, size - at, base);
		size_t length = take_step(code + at, size - at, base, step);

		if (!length)
			return false;
		getter->count++;
		at += length;
	}
	return at < size && getter->count;
}
