/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is read of a Java virtual machine: numbers and tables of lines as both
 * kinds of machines write them, tables that libjvm would export, and all of it from
 * damaged memory, which must do no harm.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/hotspot_method.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void numbers(void **state)
{
	static const struct {
		uint8_t excess, bytes[5];
		size_t size;
		uint32_t number;
	} rows[] = {
		{ 0, { 0 }, 1, 0 },
		{ 0, { 191 }, 1, 191 },
		{ 0, { 192, 0 }, 2, 192 },
		{ 0, { 193, 2 }, 2, 193 + (2 << 6) },
		{ 1, { 1 }, 1, 0 },
		{ 1, { 191 }, 1, 190 },
		{ 1, { 192, 1 }, 2, 191 },
		{ 1,
		  { 255, 255, 255, 255, 255 },
		  5,
		  254u + (254u << 6) + (254u << 12) + (254u << 18) +
			  (254u << 24) },
	};
	uint32_t number;
	size_t at;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		at = 0;
		assert_true(hotspot_number(rows[i].bytes, rows[i].size, &at,
					   rows[i].excess, &number));
		assert_int_equal(number, rows[i].number);
		assert_int_equal(at, rows[i].size);
	}
	/* It ends too early; a byte that is never written. */
	at = 0;
	assert_false(hotspot_number((const uint8_t[]){ 200 }, 1, &at, 0,
				    &number));
	at = 0;
	assert_false(hotspot_number((const uint8_t[]){ 0 }, 1, &at, 1,
				    &number));
}

static void lines(void **state)
{
	/* bytecode 0: line 10; 5: 12; 9: 300; 12: 11 */
	static const uint8_t older[] = { 255, 0,       20, 5 << 3 | 2, 255,
					 8,   192 | 0, 6,  255,	       6,
					 193, 6,       0 };
	static const uint8_t newer[] = { 255, 1, 21, 5 << 3 | 2, 0 };

	(void)state;
	assert_int_equal(hotspot_line(older, sizeof(older), 0, 0), 10);
	assert_int_equal(hotspot_line(older, sizeof(older), 0, 4), 10);
	assert_int_equal(hotspot_line(older, sizeof(older), 0, 5), 12);
	assert_int_equal(hotspot_line(older, sizeof(older), 0, 9),
			 12 + (192 + (6 << 6)) / 2);
	assert_int_equal(hotspot_line(newer, sizeof(newer), 1, 3), 10);
	assert_int_equal(hotspot_line(newer, sizeof(newer), 1, 700), 12);
	/* It has no end. */
	assert_int_equal(hotspot_line(newer, 3, 1, 3), 10);
	assert_int_equal(hotspot_line(newer, 2, 1, 3), 0);
	assert_int_equal(hotspot_line(newer, 0, 1, 3), 0);
}

/* ------------------------------------------------------------------ tables */

/* Entries as libjvm has them; the layout is what the symbols say. */
struct type_entry {
	const char *name, *parent;
	int32_t is_oop, is_integer, is_unsigned;
	uint64_t size;
};
struct field_entry {
	const char *type, *field, *text;
	int32_t is_static;
	uint64_t offset;
	const void *address;
};
struct int_entry {
	const char *name;
	int32_t value;
};

static uint64_t low_bound = 0x7f0000000000;
static struct type_entry types[8];
static struct field_entry fields[8];
static struct int_entry ints[4];

static const struct type_entry *types_at = types;
static const struct field_entry *fields_at = fields;
static const struct int_entry *ints_at = ints;
#define LAYOUT(name, value) \
	{ name, NULL, value }
static const struct {
	const char *name;
	const void *address;
	uint64_t value;
} exported[] = {
	{ "gHotSpotVMTypes", &types_at, 0 },
	{ "gHotSpotVMStructs", &fields_at, 0 },
	{ "gHotSpotVMIntConstants", &ints_at, 0 },
	LAYOUT("gHotSpotVMTypeEntryArrayStride", sizeof(*types)),
	LAYOUT("gHotSpotVMTypeEntryTypeNameOffset",
	       offsetof(struct type_entry, name)),
	LAYOUT("gHotSpotVMTypeEntryIsUnsignedOffset",
	       offsetof(struct type_entry, is_unsigned)),
	LAYOUT("gHotSpotVMTypeEntrySizeOffset",
	       offsetof(struct type_entry, size)),
	LAYOUT("gHotSpotVMStructEntryArrayStride", sizeof(*fields)),
	LAYOUT("gHotSpotVMStructEntryTypeNameOffset",
	       offsetof(struct field_entry, type)),
	LAYOUT("gHotSpotVMStructEntryFieldNameOffset",
	       offsetof(struct field_entry, field)),
	LAYOUT("gHotSpotVMStructEntryTypeStringOffset",
	       offsetof(struct field_entry, text)),
	LAYOUT("gHotSpotVMStructEntryIsStaticOffset",
	       offsetof(struct field_entry, is_static)),
	LAYOUT("gHotSpotVMStructEntryOffsetOffset",
	       offsetof(struct field_entry, offset)),
	LAYOUT("gHotSpotVMStructEntryAddressOffset",
	       offsetof(struct field_entry, address)),
	LAYOUT("gHotSpotVMIntConstantEntryArrayStride", sizeof(*ints)),
	LAYOUT("gHotSpotVMIntConstantEntryNameOffset",
	       offsetof(struct int_entry, name)),
	LAYOUT("gHotSpotVMIntConstantEntryValueOffset",
	       offsetof(struct int_entry, value)),
};

static uint64_t symbol(void *data, const char *name)
{
	(void)data;
	for (size_t i = 0; i < COUNT(exported); i++)
		if (!strcmp(exported[i].name, name))
			return (uintptr_t)(exported[i].address
						   ? exported[i].address
						   : &exported[i].value);
	return 0;
}

/*
 * This process's own memory, in whole pages: by the kernel, because these are
 * more than the variables that a sanitizer lets us read.
 */
static bool own(void *source, void *to, size_t size, uint64_t from)
{
	int fd = open("/proc/self/mem", O_RDONLY);
	bool is_read = fd >= 0 &&
		       pread(fd, to, size, (off_t)from) == (ssize_t)size;

	(void)source;
	close(fd);
	return is_read;
}

static void tables(void **state)
{
	struct hotspot_vm vm;
	const char *why = NULL;
	uint64_t value;

	(void)state;
	types[0] = (struct type_entry){ "int", NULL, 0, 1, 0, 4 };
	types[1] = (struct type_entry){ "u2", NULL, 0, 1, 1, 2 };
	types[2] = (struct type_entry){ "PcDesc", NULL, 0, 0, 0, 16 };
	fields[0] = (struct field_entry){ "CodeCache", "_low_bound",
					  "address",   1,
					  0,	       &low_bound };
	fields[1] = (struct field_entry){ "PcDesc", "_pc_offset", "int", 0,
					  4,	    NULL };
	fields[2] =
		(struct field_entry){ "Symbol", "_length", "u2", 0, 2, NULL };
	ints[0] = (struct int_entry){
		"frame::interpreter_frame_sender_sp_offset", -1
	};
	assert_false(hotspot_vm_read(&vm, (struct hotspot_memory){ own, NULL },
				     symbol, NULL, &why));
	/* What is there was read, and what is missing has a name. */
	assert_non_null(strstr(why, "CodeCache::_high_bound"));
	assert_true(hotspot_get(&vm, HOTSPOT_code_low, 0, &value));
	assert_int_equal(value, low_bound);
	assert_int_equal(vm.sizes[HOTSPOT_SIZE_pc], 16);
	assert_int_equal(vm.constants[HOTSPOT_CONSTANT_sender_sp], -1);

	uint64_t object[2] = { 0xfffffffeull << 32 | 0x80000000, 0 };

	assert_true(hotspot_get(&vm, HOTSPOT_pc_offset, (uintptr_t)object,
				&value));
	assert_int_equal((int64_t)value, -2);
	object[0] = 0xffff0000;
	assert_true(hotspot_get(&vm, HOTSPOT_symbol_length, (uintptr_t)object,
				&value));
	assert_int_equal(value, 0xffff);
	assert_false(hotspot_get(&vm, HOTSPOT_blob_size, (uintptr_t)object,
				 &value));
}

/* ---------------------------------------------------------------- damage */

/* Memory of anything, the same at the same seed; pointers lead back into it. */
static bool noise(void *source, void *to, size_t size, uint64_t from)
{
	unsigned seed = *(unsigned *)source ^
			(unsigned)(from >> 3) * 2654435761u;
	uint8_t *bytes = to;

	if (rand_r(&seed) % 64 == 0)
		return false;
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(rand_r(&seed) >> 8);
	if (size == 8 && rand_r(&seed) % 2) {
		uint64_t word = 0x10000 + (unsigned)rand_r(&seed) % 65536 * 8u;

		memcpy(to, &word, sizeof(word));
	}
	if (size <= 4 && rand_r(&seed) % 2)
		memset(bytes + 1, 0, size - 1);
	return true;
}

static uint64_t anywhere(void *data, const char *name)
{
	unsigned seed = *(unsigned *)data ^ (unsigned)strlen(name);

	return 0x10000 + (unsigned)rand_r(&seed) % 65536 * 8u;
}

static void make_noise_vm(struct hotspot_vm *vm, unsigned *seed)
{
	static const uint8_t sizes[] = { 8, 8, 8, 4, 4, 2 };

	memset(vm, 0, sizeof(*vm));
	vm->memory = (struct hotspot_memory){ noise, seed };
	for (unsigned i = 0; i < HOTSPOT_FIELDS; i++)
		vm->fields[i] = (struct hotspot_place){
			.at = (unsigned)rand_r(seed) % 16 * 8u,
			.size = sizes[rand_r(seed) % 6],
			.is_known = rand_r(seed) % 8 != 0,
			.is_signed = rand_r(seed) % 2,
		};
	for (unsigned i = 0; i < HOTSPOT_SIZES; i++)
		vm->sizes[i] = 16;
	for (unsigned i = 0; i < HOTSPOT_CONSTANTS; i++) {
		vm->constants[i] = -1;
		vm->has_constant[i] = true;
	}
}

static void damaged(void **state)
{
	enum { TURNS = 20000 };
	struct hotspot_scope scopes[HOTSPOT_INLINED];
	struct hotspot_code code;
	struct hotspot_blob blob;
	struct hotspot_name name;
	struct hotspot_vm vm;
	const char *why;
	char text[64];

	(void)state;
	for (unsigned turn = 1; turn <= TURNS; turn++) {
		unsigned seed = turn;

		if (turn % 64 == 0)
			hotspot_vm_read(&vm,
					(struct hotspot_memory){ noise, &seed },
					anywhere, &seed, &why);
		make_noise_vm(&vm, &seed);
		if (!hotspot_code_read(&vm, &code, &why))
			code = (struct hotspot_code){
				.low = 0x10000,
				.high = 0x90000,
				.interpreter = 0x20000,
				.interpreter_end = 0x30000,
				.heaps = { { 0x10000, 0x90000, 0x10000 } },
				.nheaps = 1,
				.shift = 7,
			};
		hotspot_codelet(&vm, &code, code.interpreter + 64, text,
				sizeof(text));
		hotspot_blob_find(&vm, &code, 0x12340, &blob);
		blob = (struct hotspot_blob){
			.address = 0x20000,
			.code = 0x20100,
			.size = 0x2000,
			.is_method = true,
		};
		unsigned count = hotspot_scopes(&vm, &code, &blob, 0x20180,
						scopes);

		assert_in_range(count, 0, HOTSPOT_INLINED);
		if (hotspot_method_name(&vm, &code, 0x20008, &name))
			assert_true(memchr(name.function, '\0',
					   sizeof(name.function)) != NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),   cmocka_unit_test(lines),
		cmocka_unit_test(tables),    cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
