/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/hotspot_method.h"

#include <stdio.h>
#include <string.h>

enum { LINES_MOST = 65536, POOL_MOST = 65536 };

/* A symbol's text; false: it is none. */
static bool symbol_text(const struct hotspot_vm *vm, uint64_t symbol, char *to,
			size_t size)
{
	uint64_t length;

	if (!hotspot_get(vm, HOTSPOT_symbol_length, symbol, &length) ||
	    !length || length > 65535)
		return false;
	if (length > size - 1)
		length = size - 1;
	if (!hotspot_bytes(vm, to, (size_t)length,
			   symbol + vm->fields[HOTSPOT_symbol_text].at))
		return false;
	to[length] = '\0';
	/* It is printed: nothing but text. */
	for (uint64_t i = 0; i < length; i++)
		if ((unsigned char)to[i] < ' ' || to[i] == 127)
			return false;
	return true;
}

/* The symbol at a place of a pool of constants. */
static bool constant_text(const struct hotspot_vm *vm, uint64_t pool,
			  uint64_t index, char *to, size_t size)
{
	uint64_t length, symbol;

	return hotspot_get(vm, HOTSPOT_constants_length, pool, &length) &&
	       length <= POOL_MOST && index && index < length &&
	       hotspot_bytes(vm, &symbol, sizeof(symbol),
			     pool + vm->sizes[HOTSPOT_SIZE_constants] +
				     index * 8) &&
	       symbol_text(vm, symbol, to, size);
}

/*
 * java/net/Socket: with dots.  A class without a name of its own has an address
 * behind a plus sign, which Java shows as a slash.
 */
static void make_readable(char *name)
{
	char *plus = strrchr(name, '+');

	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '.';
	if (plus && !strncmp(plus, "+0x", 3))
		*plus = '/';
}

/* ------------------------------------------------------------------- lines */

static int32_t signed_of(uint32_t number)
{
	return (int32_t)(number >> 1) ^ -(int32_t)(number & 1);
}

/*
 * Steps of {bytecode, line}: both in a byte, five and three bits, or 255 and
 * two signed numbers; 0 ends.
 */
uint32_t hotspot_line(const uint8_t *table, size_t size, uint8_t excess,
		      uint32_t bci)
{
	int64_t at_bci = 0, at_line = 0, line = 0, best = -1;
	size_t at = 0;

	while (at < size && table[at]) {
		uint8_t step = table[at++];

		if (step != 255) {
			at_bci += step >> 3;
			at_line += step & 7;
		} else {
			uint32_t a, b;

			if (!hotspot_number(table, size, &at, excess, &a) ||
			    !hotspot_number(table, size, &at, excess, &b))
				break;
			at_bci += signed_of(a);
			at_line += signed_of(b);
		}
		/* Not always in order. */
		if (at_bci <= bci && at_bci >= best) {
			best = at_bci;
			line = at_line;
		}
	}
	return line > 0 && line <= 65535 ? (uint32_t)line : 0;
}

static uint64_t const_of(const struct hotspot_vm *vm, uint64_t method)
{
	uint64_t constant = hotspot_value(vm, HOTSPOT_method_const, method);

	return hotspot_is_pointer(constant) ? constant : 0;
}

/* The table of lines, behind the bytecode. */
static void read_lines(const struct hotspot_vm *vm, struct hotspot_code *code,
		       uint64_t constant, struct hotspot_name *name)
{
	uint64_t flags = hotspot_value(vm, HOTSPOT_const_flags, constant);
	uint64_t length = hotspot_value(vm, HOTSPOT_const_code_size, constant);
	uint64_t words = hotspot_value(vm, HOTSPOT_const_size, constant);
	uint64_t start = vm->sizes[HOTSPOT_SIZE_const_method] + length;
	size_t size = sizeof(name->lines);

	if (!vm->has_constant[HOTSPOT_CONSTANT_has_lines] ||
	    !(flags & (uint64_t)vm->constants[HOTSPOT_CONSTANT_has_lines]) ||
	    words > LINES_MOST || words * 8 <= start + 2)
		return;
	if (size > words * 8 - start)
		size = (size_t)(words * 8 - start);
	if (!hotspot_bytes(vm, name->lines, size, constant + start))
		return;
	name->nlines = size;
	/* It begins with a step of 0 bytes of code. */
	if (!code->is_excess_known && name->lines[0] == 255 &&
	    name->lines[1] < 2) {
		code->excess = name->lines[1];
		code->is_excess_known = true;
	}
}

/* -------------------------------------------------------------------- names */

bool hotspot_method_name(const struct hotspot_vm *vm, struct hotspot_code *code,
			 uint64_t method, struct hotspot_name *name)
{
	char owner[HOTSPOT_FUNCTION_MOST - 128], own[128];
	uint64_t constant = const_of(vm, method), index, file;
	uint64_t pool = hotspot_value(vm, HOTSPOT_const_constants, constant);
	uint64_t class = hotspot_value(vm, HOTSPOT_constants_holder, pool);

	name->nlines = 0;
	if (!symbol_text(vm, hotspot_value(vm, HOTSPOT_class_name, class),
			 owner, sizeof(owner)) ||
	    !hotspot_get(vm, HOTSPOT_const_name, constant, &index) ||
	    !constant_text(vm, pool, index, own, sizeof(own)))
		return false;
	make_readable(owner);
	snprintf(name->function, sizeof(name->function), "%s.%s", owner, own);
	if (!hotspot_get(vm, HOTSPOT_constants_file, pool, &file))
		file = hotspot_value(vm, HOTSPOT_class_file, class);
	if (!constant_text(vm, pool, file, name->file, sizeof(name->file)))
		name->file[0] = '\0';
	read_lines(vm, code, constant, name);
	return true;
}
