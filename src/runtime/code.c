/* SPDX-License-Identifier: Apache-2.0 */
/* What files of runtimes say: symbols, and code. */
#include <stdlib.h>
#include <string.h>

#include "proc/elf_tables.h"
#include "proc/image.h"
#include "runtime/runtime.h"

static void find_in(struct elf_file *file, uint32_t type, uint64_t bias,
		    struct runtime_symbol *symbols, size_t count)
{
	struct elf_table table;

	if (!elf_file_read_table(file, type, &table))
		return;
	for (size_t i = 0; i < table.count; i++) {
		const Elf64_Sym *symbol = &table.symbols[i];
		const char *name = symbol->st_shndx != SHN_UNDEF
					   ? elf_table_name(&table, symbol)
					   : NULL;

		for (size_t n = 0; name && n < count; n++) {
			if (symbols[n].address || strcmp(symbols[n].name, name))
				continue;
			symbols[n].address = bias + symbol->st_value;
			symbols[n].size = symbol->st_size;
		}
	}
	elf_table_free(&table);
}

void runtime_symbols(const struct runtime_image *image,
		     struct runtime_symbol *symbols, size_t count)
{
	bool has_all = true;

	for (size_t n = 0; n < count; n++)
		symbols[n].address = symbols[n].size = 0;
	find_in(&image->image->file, SHT_DYNSYM, image->bias, symbols, count);
	for (size_t n = 0; n < count; n++)
		has_all &= symbols[n].address != 0;
	if (!has_all)
		find_in(&image->image->file, SHT_SYMTAB, image->bias, symbols,
			count);
}

bool runtime_code(const struct runtime_image *image, uint64_t address,
		  uint8_t *to, size_t size)
{
	uint64_t offset;
	size_t have = size;

	if (!elf_file_offset(&image->image->file, address - image->bias,
			     &offset))
		return false;
	const uint8_t *code = image_code(image->image, offset, &have);

	if (have < size)
		return false;
	memcpy(to, code, size);
	return true;
}

/*
 * The unlikely part of a function is elsewhere, and stripped files have no name
 * for it.  It is reached by jumps from the likely part alone, into the middle of
 * a piece of code that has a stack frame from its first instruction on; those
 * that most of them lead to are it.  Jumps of 5 and 6 bytes are taken for such
 * wherever their bytes are; what they are by accident are few and differ.
 */
static bool find_cold_part(const struct runtime_image *image,
			   const struct runtime_symbol *function,
			   uint64_t *start, uint64_t *size)
{
	enum { CANDIDATES = 16, LEAST = 8, MOST = 1 << 20 };
	struct {
		const struct elf_start *piece;
		unsigned count;
	} found[CANDIDATES] = { 0 };
	struct elf_file *file = &image->image->file;
	uint64_t base = function->address - image->bias, best = 0;

	if (!function->address || function->size > MOST || function->size < 6)
		return false;
	uint8_t *code = malloc(function->size);

	if (!code)
		return false;
	if (!runtime_code(image, function->address, code, function->size)) {
		free(code);
		return false;
	}
	for (uint64_t i = 0; i + 6 <= function->size; i++) {
		bool is_conditional = code[i] == 0x0f &&
				      (code[i + 1] & 0xf0) == 0x80;
		uint64_t from = i + (is_conditional ? 2 : 1);
		int32_t distance;

		if (!is_conditional && code[i] != 0xe9)
			continue;
		memcpy(&distance, code + from, sizeof(distance));
		uint64_t target = base + from + 4 + (uint64_t)(int64_t)distance;

		if (target - base < function->size ||
		    !elf_file_is_code(file, target))
			continue;
		const struct elf_start *piece = image_piece(image->image,
							    target);
		unsigned n = 0;

		while (piece && n < CANDIDATES && found[n].piece &&
		       found[n].piece != piece)
			n++;
		if (!piece || n == CANDIDATES)
			continue;
		found[n].piece = piece;
		found[n].count++;
	}
	free(code);
	for (unsigned n = 0; n < CANDIDATES && found[n].piece; n++)
		if (found[n].count > found[best].count)
			best = n;
	if (found[best].count < LEAST ||
	    !elf_file_starts_with_frame(file, found[best].piece))
		return false;
	*start = image->bias + found[best].piece->address;
	*size = elf_file_piece_size(file, found[best].piece);
	return *size != 0;
}

static void add_range(uint64_t *block, uint64_t start, uint64_t size)
{
	uint64_t *range = &block[RUNTIME_RANGES];

	for (unsigned i = 0; i < RUNTIME_RANGES_MOST; i++, range += 2)
		if (!range[1]) {
			range[0] = start;
			range[1] = size;
			return;
		}
}

void runtime_range(const struct runtime_image *image,
		   const struct runtime_symbol *function, uint64_t *block)
{
	uint64_t start, size;

	add_range(block, function->address, function->size);
	if (find_cold_part(image, function, &start, &size))
		add_range(block, start, size);
}

size_t runtime_callees(const struct runtime_image *image,
		       const struct runtime_symbol *function,
		       struct runtime_symbol *callees, size_t most)
{
	enum { CALL = 0xe8, JUMP = 0xe9, LENGTH = 5, MOST = 1 << 20 };
	struct elf_file *file = &image->image->file;
	uint64_t base = function->address - image->bias;
	size_t count = 0;

	if (!function->address || function->size > MOST ||
	    function->size < LENGTH)
		return 0;
	uint8_t *code = malloc(function->size);

	if (code &&
	    !runtime_code(image, function->address, code, function->size)) {
		free(code);
		return 0;
	}
	for (uint64_t i = 0; code && i + LENGTH <= function->size; i++) {
		int32_t distance;

		if ((code[i] != CALL && code[i] != JUMP) || count == most)
			continue;
		memcpy(&distance, code + i + 1, sizeof(distance));
		uint64_t target = base + i + LENGTH +
				  (uint64_t)(int64_t)distance;

		if (target - base < function->size ||
		    !elf_file_is_code(file, target))
			continue;
		const struct elf_start *piece = image_piece(image->image,
							    target);

		if (!piece || piece->address != target)
			continue;
		callees[count++] = (struct runtime_symbol){
			.address = image->bias + target,
			.size = elf_file_piece_size(file, piece),
		};
	}
	free(code);
	return count;
}
