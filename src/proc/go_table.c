/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/go_table.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"

enum { HEAD = 8, POINTER = 8, SIZE_LIMIT = 128 << 20 };

/* Words after the head; 0: there is no such word. */
static const struct {
	size_t words, text, names, units, files, values, pairs;
	size_t width; /* of a number in a pair */
} layouts[GO_LAYOUTS] = {
	[GO_LAYOUT_2] = { .words = 1, .width = 8 },
	[GO_LAYOUT_16] = { .words = 7,
			   .names = 2,
			   .units = 3,
			   .pairs = 6,
			   .width = 8 },
	[GO_LAYOUT_18] = { .words = 8,
			   .text = 2,
			   .names = 3,
			   .units = 4,
			   .files = 5,
			   .values = 6,
			   .pairs = 7,
			   .width = 4 },
};

static uint64_t number_at(const uint8_t *at, size_t width)
{
	uint64_t number = 0;

	memcpy(&number, at, width);
	return number;
}

static uint64_t head_word(const struct go_table *go, size_t n)
{
	return number_at(go->bytes + HEAD + n * POINTER, POINTER);
}

static bool find_layout(struct go_table *go)
{
	static const struct {
		uint32_t magic;
		enum go_layout layout;
		bool is_20;
	} magics[] = {
		{ 0xfffffffb, GO_LAYOUT_2, false },
		{ 0xfffffffa, GO_LAYOUT_16, false },
		{ 0xfffffff0, GO_LAYOUT_18, false },
		{ 0xfffffff1, GO_LAYOUT_18, true },
	};
	enum { ZEROS = 4, UNIT = 6, POINTER_SIZE = 7 };

	if (go->size < HEAD || go->bytes[ZEROS] || go->bytes[ZEROS + 1] ||
	    go->bytes[UNIT] != 1 || go->bytes[POINTER_SIZE] != POINTER)
		return false;
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		if (number_at(go->bytes, 4) != magics[i].magic)
			continue;
		go->layout = magics[i].layout;
		go->is_20 = magics[i].is_20;
		return true;
	}
	return false;
}

/*
 * What only lines and stacks need; without it there are names alone: the places
 * must follow each other.
 */
static void read_more(struct go_table *go)
{
	uint64_t units = head_word(go, layouts[go->layout].units);
	uint64_t files = head_word(go, layouts[go->layout].files);
	uint64_t values = head_word(go, layouts[go->layout].values);

	if (units > files || files > values || values > go->pairs)
		return;
	go->units = units;
	go->units_end = go->files = files;
	go->files_end = go->values = values;
	go->values_end = go->pairs;
}

/* Places within the table, and as many pairs as there is room for. */
static bool read_head(struct go_table *go, uint64_t text)
{
	size_t words = layouts[go->layout].words;
	size_t head = HEAD + words * POINTER;
	size_t pair = 2 * layouts[go->layout].width;

	if (go->size < head)
		return false;
	uint64_t names = 0, names_end = go->size, pairs = head;
	uint64_t count = head_word(go, 0);

	if (layouts[go->layout].names) {
		names = head_word(go, layouts[go->layout].names);
		names_end = head_word(go, layouts[go->layout].units);
		pairs = head_word(go, layouts[go->layout].pairs);
	}
	if (layouts[go->layout].text)
		go->text = head_word(go, layouts[go->layout].text);
	if (!go->text)
		go->text = layouts[go->layout].text ? text : 0;
	if (names >= go->size || names_end <= names || names_end > go->size ||
	    pairs >= go->size)
		return false;
	/* after the last pair comes the address that ends its function */
	if (!count || count > (go->size - pairs) / pair ||
	    go->size - pairs - count * pair < layouts[go->layout].width)
		return false;
	go->names = names;
	go->names_end = names_end;
	go->pairs = pairs;
	go->count = count;
	if (layouts[go->layout].values)
		read_more(go);
	return true;
}

bool go_table_open(struct go_table *go, const uint8_t *bytes, size_t size,
		   uint64_t text)
{
	*go = (struct go_table){ .bytes = bytes, .size = size };
	return find_layout(go) && read_head(go, text);
}

uint64_t go_table_start(const struct go_table *go, size_t n)
{
	size_t width = layouts[go->layout].width;
	uint64_t start = number_at(go->bytes + go->pairs + n * 2 * width,
				   width);

	return layouts[go->layout].text ? go->text + start : start;
}

/* Its description, of at least `size` bytes; NULL: it has none. */
static const uint8_t *description(const struct go_table *go, size_t n,
				  size_t size)
{
	size_t width = layouts[go->layout].width;
	uint64_t place = number_at(go->bytes + go->pairs + (2 * n + 1) * width,
				   width);
	size_t base = layouts[go->layout].pairs ? go->pairs : 0;
	size_t room = go->size - base;

	return room < size || place > room - size ? NULL
						  : go->bytes + base + place;
}

bool go_table_name(const struct go_table *go, size_t n, uint32_t *name)
{
	size_t width = layouts[go->layout].width;
	/* the function's address, then 32 bits */
	const uint8_t *at = description(go, n, width + 4);

	if (!at)
		return false;
	*name = (uint32_t)number_at(at + width, 4);
	return *name < go->names_end - go->names &&
	       go->bytes[go->names + *name];
}

bool go_table_find(const struct go_table *go, uint64_t address, size_t *n)
{
	size_t low = 0, high = go->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (go_table_start(go, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*n = low - 1;
	return low && address < go_table_start(go, low);
}

bool go_table_function(const struct go_table *go, size_t n,
		       struct go_function *function)
{
	/* places in a description; lists of 32-bit numbers follow it */
	enum {
		STACK = 16,
		FILES = 20,
		LINES = 24,
		NVALUES = 28,
		UNIT = 32,
		FLAGS_18 = 37,
		FLAGS_20 = 41,
		SIZE_18 = 40,
		SIZE_20 = 44,
	};
	enum { INLINED_VALUES = 2, INLINED_DATA = 3, WIDTH = 4 };
	size_t size = go->is_20 ? SIZE_20 : SIZE_18;
	const uint8_t *at = description(go, n, size);
	uint32_t name;

	if (!go->values_end || !at || !go_table_name(go, n, &name))
		return false;
	*function = (struct go_function){
		.start = go_table_start(go, n),
		.end = go_table_start(go, n + 1),
		.name = (const char *)go->bytes + go->names + name,
		.values[GO_STACK] = (uint32_t)number_at(at + STACK, WIDTH),
		.values[GO_FILE] = (uint32_t)number_at(at + FILES, WIDTH),
		.values[GO_LINE] = (uint32_t)number_at(at + LINES, WIDTH),
		.unit = (uint32_t)number_at(at + UNIT, WIDTH),
		.inlined = UINT32_MAX,
		.flags = at[go->is_20 ? FLAGS_20 : FLAGS_18],
	};
	uint64_t nvalues = number_at(at + NVALUES, WIDTH), ndata = at[size - 1];
	const uint8_t *more = description(go, n,
					  size + (nvalues + ndata) * WIDTH);

	if (!more)
		return function->end > function->start;
	more += size;
	if (nvalues > INLINED_VALUES)
		function->values[GO_INLINED] = (uint32_t)
			number_at(more + INLINED_VALUES * WIDTH, WIDTH);
	more += nvalues * WIDTH;
	if (ndata > INLINED_DATA)
		function->inlined =
			(uint32_t)number_at(more + INLINED_DATA * WIDTH, WIDTH);
	return function->end > function->start;
}

/* ---------------------------------------------------------------- values */

/* Seven bits at a time; false: they do not end. */
static bool take(struct go_values *values, uint32_t *number)
{
	*number = 0;
	for (unsigned shift = 0; shift < 32; shift += 7) {
		if (values->at >= values->go->values_end)
			return false;
		uint8_t byte = values->go->bytes[values->at++];

		*number |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

void go_values_open(struct go_values *values, const struct go_table *go,
		    const struct go_function *function, enum go_value which)
{
	uint32_t place = function->values[which];

	*values = (struct go_values){
		.go = go,
		.at = place ? go->values + (size_t)place : go->values_end,
		.start = function->start,
		.end = function->start,
		.value = -1,
	};
}

/* Pairs: by how much the value changes, for how many bytes. */
bool go_values_next(struct go_values *values)
{
	enum { MOST = 1 << 17 }; /* places in a function */
	bool is_first = values->start == values->end;
	uint32_t change, length;

	if (values->count++ == MOST)
		return false;
	/* the first change may be 0, any other one ends the list */
	if (!take(values, &change) || (!change && !is_first) ||
	    !take(values, &length) || !length)
		return false;
	values->value = (int32_t)((uint32_t)values->value +
				  (change >> 1 ^ -(change & 1)));
	values->start = values->end;
	values->end += length;
	return true;
}

bool go_table_value(const struct go_table *go,
		    const struct go_function *function, enum go_value which,
		    uint64_t address, int32_t *value, uint32_t *work)
{
	struct go_values values;
	bool is_found = false;

	go_values_open(&values, go, function, which);
	while (!is_found && go_values_next(&values))
		is_found = address < values.end;
	if (is_found)
		*value = values.value;
	*work += values.count;
	return is_found;
}

const char *go_table_file(const struct go_table *go,
			  const struct go_function *function, int32_t file)
{
	enum { WIDTH = 4 };
	uint64_t n = (uint64_t)function->unit + (uint32_t)file;

	if (file < 0 || n >= (go->units_end - go->units) / WIDTH)
		return "";
	uint64_t place = number_at(go->bytes + go->units + n * WIDTH, WIDTH);

	return place < go->files_end - go->files
		       ? (const char *)go->bytes + go->files + place
		       : "";
}

/* --------------------------------------------------------------- the file */

const Elf64_Shdr *go_table_section(const struct elf_file *file)
{
	const Elf64_Shdr *section = elf_file_section(file, ".gopclntab");

	return section ? section
		       : elf_file_section(file, ".data.rel.ro.gopclntab");
}

/* What the dynamic linker would write into the section. */
static void relocate(struct elf_file *file, const Elf64_Shdr *section,
		     uint8_t *bytes)
{
	const Elf64_Shdr *place = elf_file_section(file, ".rela.dyn");
	Elf64_Rela *relocations;

	if (!place)
		place = elf_file_section(file, ".rela");
	relocations = elf_file_read_section(file, place);
	for (size_t i = 0;
	     relocations && i < place->sh_size / sizeof(*relocations); i++) {
		uint64_t at = relocations[i].r_offset - section->sh_addr;

		if (ELF64_R_TYPE(relocations[i].r_info) != ARCH_ELF_RELATIVE ||
		    section->sh_size < POINTER ||
		    at > section->sh_size - POINTER)
			continue;
		memcpy(bytes + at, &relocations[i].r_addend, POINTER);
	}
	free(relocations);
}

uint8_t *go_section_read(struct elf_file *file, const Elf64_Shdr *section)
{
	if (!section || section->sh_size > SIZE_LIMIT)
		return NULL;
	uint8_t *bytes = elf_file_read_section(file, section);

	if (bytes)
		relocate(file, section, bytes);
	return bytes;
}

bool go_table_read(struct go_table *go, struct elf_file *file)
{
	const Elf64_Shdr *section = go_table_section(file);
	const Elf64_Shdr *text = elf_file_section(file, ".text");
	uint8_t *bytes = text ? go_section_read(file, section) : NULL;

	if (bytes && go_table_open(go, bytes, section->sh_size, text->sh_addr))
		return true;
	free(bytes);
	*go = (struct go_table){ 0 };
	return false;
}
