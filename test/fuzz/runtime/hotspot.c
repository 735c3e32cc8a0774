/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A virtual machine whose structures are all one: each member has a word of its
 * own in it, and leads back to it, or to what it should.
 */
#include "runtime/hotspot.c"
#include "test/fuzz/runtimes.h"

enum {
	WORD = 8, MEMBERS = 128, BLOCK = 16, SHIFT = 7,
	HEAP_AT = 1024, /* words: pieces of code */
	SEGMENTS_AT = 256, /* a structure in a heap */
	/* in a piece: places of code; each; their descriptions */
	PCS = 2048, PC = 512, SCOPES = PCS + 4 * PC,
	MAP_AT = 2048, TEXT_AT = 2304, TABLES_AT = 2560, WORDS = 4096,
};
static uint64_t words[WORDS] __attribute__((aligned(4096)));

static void set(enum hotspot_field field, uint64_t value)
{
	words[field] = value;
	words[HEAP_AT + BLOCK / WORD + field] = value;
}

static struct fuzz_world world_of(unsigned choice)
{
	uint64_t all = (uint64_t)words;
	uint64_t heap = (uint64_t)(words + HEAP_AT), piece = heap + BLOCK;
	/* at 1: inlined in what is at 4 */
	static const uint8_t scopes[] = { 0xff, 5, 2, 8, 1, 2, 5 };
	static const int32_t places[] = { -1, 16, 64, 4096 };
	static const uint8_t lines[] = { 255, 1, 21, 5 << 3 | 2, 0 };
	static const char text[] = "java/net/Socket";

	memset(words, 0, sizeof(words));
	/* the piece is the same again, with its code behind it */
	set(HOTSPOT_code_low, heap);
	set(HOTSPOT_code_high, heap + 8192);
	set(HOTSPOT_code_heaps, all);
	set(HOTSPOT_list_count, 1);
	set(HOTSPOT_list_items, (uint64_t)(words + TABLES_AT));
	words[TABLES_AT] = all;
	set(HOTSPOT_heap_shift, SHIFT);
	words[SEGMENTS_AT + HOTSPOT_space_low] = (uint64_t)(words + MAP_AT);
	set(HOTSPOT_space_low_bound, heap);
	set(HOTSPOT_space_high_bound, heap + 4096);
	set(HOTSPOT_interpreter, all);
	set(HOTSPOT_stubs_start, heap + 4096);
	set(HOTSPOT_stubs_limit, 2048);
	/* which segment a piece begins in */
	for (unsigned i = 0; i < 64; i++)
		((uint8_t *)(words + MAP_AT))[i] = (uint8_t)i;
	memcpy(words + TEXT_AT, "nmethod", 8);
	set(HOTSPOT_blob_name, (uint64_t)(words + TEXT_AT));
	set(HOTSPOT_blob_size, 4096 - BLOCK);
	set(HOTSPOT_blob_frame, 4);
	set(HOTSPOT_blob_code, piece + MEMBERS * WORD);
	set(HOTSPOT_blob_code_offset, MEMBERS * WORD);
	set(HOTSPOT_nmethod_method, all);
	/* its places, descriptions and methods */
	set(HOTSPOT_nmethod_immutable, piece);
	set(HOTSPOT_nmethod_immutable_size, SCOPES + 64);
	set(HOTSPOT_nmethod_pcs, PCS);
	set(HOTSPOT_nmethod_scopes, SCOPES);
	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
		uint64_t *pc = words + HEAP_AT + (BLOCK + PCS + i * PC) / WORD;

		pc[HOTSPOT_pc_offset] = (uint32_t)places[i];
		pc[HOTSPOT_pc_scope] = 1;
	}
	memcpy(words + HEAP_AT + (BLOCK + SCOPES) / WORD, scopes,
	       sizeof(scopes));
	set(HOTSPOT_blob_mutable, (uint64_t)(words + TABLES_AT));
	set(HOTSPOT_blob_mutable_size, 64);
	words[TABLES_AT + 1] = all;
	/* names */
	set(HOTSPOT_method_const, all);
	set(HOTSPOT_const_constants, all);
	set(HOTSPOT_const_flags, 1);
	set(HOTSPOT_const_code_size, 64);
	set(HOTSPOT_const_size, MEMBERS + 16);
	set(HOTSPOT_const_name, 1);
	set(HOTSPOT_constants_length, 8);
	set(HOTSPOT_constants_holder, all);
	set(HOTSPOT_constants_file, 1);
	set(HOTSPOT_class_name, all);
	words[MEMBERS + 1] = all;
	set(HOTSPOT_symbol_length, sizeof(text) - 1);
	memcpy(words + MEMBERS + 16, text, sizeof(text));
	memcpy(words + MEMBERS + 8, lines, sizeof(lines));
	return (struct fuzz_world){
		words, sizeof(words),
		{ words, words + HEAP_AT + BLOCK / WORD + MEMBERS + 2 }, 7
	};
}

static void *own(struct runtime_process *process, unsigned choice)
{
	struct hotspot *hotspot = must_alloc(sizeof(*hotspot));
	struct hotspot_vm *vm = &hotspot->vm;

	memset(hotspot, 0, sizeof(*hotspot));
	process->own = hotspot;
	vm->memory = (struct hotspot_memory){ read_memory, process };
	for (unsigned i = 0; i < HOTSPOT_FIELDS; i++)
		vm->fields[i] = (struct hotspot_place){
			.at = i * WORD,
			.size = WORD,
			.is_known = true,
		};
	for (unsigned i = 0; i < HOTSPOT_SIZES; i++)
		vm->sizes[i] = MEMBERS * WORD;
	vm->sizes[HOTSPOT_SIZE_pc] = PC;
	vm->fields[HOTSPOT_heap_memory].at = 0;
	vm->fields[HOTSPOT_heap_segments].at = SEGMENTS_AT * WORD;
	vm->fields[HOTSPOT_symbol_text].at = (MEMBERS + 16) * WORD;
	/* newer and older machines */
	if (choice & 1)
		vm->fields[HOTSPOT_blob_code_offset].is_known = false;
	if (choice & 2)
		vm->fields[HOTSPOT_nmethod_immutable].is_known = false;
	if (choice & 4)
		vm->fields[HOTSPOT_nmethod_scopes].is_known = false;
	vm->fields[HOTSPOT_nmethod_metadata].is_known = choice & 8;
	vm->sizes[HOTSPOT_SIZE_block] = BLOCK;
	for (unsigned i = 0; i < HOTSPOT_FIELDS; i++)
		if (i < HOTSPOT_list_count)
			vm->fields[i].is_static = true;
	vm->fields[HOTSPOT_interpreter].is_static = true;
	for (unsigned i = 0; i < HOTSPOT_FIELDS; i++)
		if (vm->fields[i].is_static)
			vm->fields[i].at = fuzz_address(0) + i * WORD;
	vm->fields[HOTSPOT_blob_frame].size = 4;
	vm->fields[HOTSPOT_blob_complete].size = 4;
	vm->fields[HOTSPOT_pc_offset].size = 4;
	vm->fields[HOTSPOT_pc_offset].is_signed = true;
	for (unsigned i = 0; i < HOTSPOT_CONSTANTS; i++) {
		vm->constants[i] = i == HOTSPOT_CONSTANT_has_lines ? 1 : -1;
		vm->has_constant[i] = true;
	}
	if (choice & 16)
		vm->constants[HOTSPOT_CONSTANT_last_sp] = -2;
	hotspot->why = "not tried yet";
	if (hotspot_code_read(vm, &hotspot->code, &hotspot->why))
		hotspot->why = NULL;
	return hotspot;
}

static void release(void *own)
{
	struct hotspot *hotspot = own;

	table_free(&hotspot->methods);
	free(hotspot);
}

static bool write_block(struct runtime_process *to, unsigned choice,
		  const uint16_t *numbers)
{
	struct hotspot *hotspot = to->own;
	char text[64];

	hotspot_codelet(&hotspot->vm, &hotspot->code,
			hotspot->code.interpreter + numbers[0], text,
			sizeof(text));
	return hotspot_layout_read(&hotspot->vm, &hotspot->layout) &&
	       !hotspot->why &&
	       hotspot_walk_write(&hotspot->layout, &hotspot->code, to->block);
}

const struct fuzz_runtime fuzz_hotspot = { &runtime_hotspot, world_of, own, release,
					   write_block };
