/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that a Go compiler inlined are in a tree for each function: a node
 * is a call, with the name of what it calls and an address whose line is that of
 * the call.  The number of an address's node is a value of its place
 * (go_table.h).
 *
 *	since 1.18	five numbers: ..., file, line, name, address
 *	since 1.20	four: ..., name, address, line
 *
 * The trees are data of the program; where these begin is said in the structure
 * that the runtime has for a module, which begins with the address of the table
 * and is looked for among the data.
 */
#include "proc/go_code.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/budget.h"
#include "proc/go_table.h"

enum { WORD = 8 };

struct go_code {
	unsigned users;
	struct elf_file file;
	struct go_table go;
	uint64_t data; /* address of what descriptions refer to, or 0 */
	uint8_t *near; /* bytes of it that were read last */
	uint64_t near_start, near_size;
};

/* In the structure of a module. */
enum { MODULE_NAMES = 8, MODULE_TEXT = 176, MODULE_SIZE = 328 };
enum { MODULE_DATA_18 = 304, MODULE_DATA_20 = 320 };

static uint64_t word_of(const uint8_t *bytes, uint64_t at)
{
	uint64_t word;

	memcpy(&word, bytes + at, sizeof(word));
	return word;
}

/* Where the module with this table has its data, from a section; 0: not there. */
static uint64_t find_module(const struct go_code *code, uint64_t table,
			    const uint8_t *bytes, uint64_t size)
{
	for (uint64_t at = 0; size >= MODULE_SIZE && at <= size - MODULE_SIZE;
	     at += WORD)
		if (word_of(bytes, at) == table &&
		    word_of(bytes, at + MODULE_NAMES) ==
			    table + code->go.names &&
		    word_of(bytes, at + MODULE_TEXT) == code->go.text)
			return word_of(bytes,
				       at + (code->go.is_20 ? MODULE_DATA_20
							    : MODULE_DATA_18));
	return 0;
}

static void find_data(struct go_code *code)
{
	struct elf_file *file = &code->file;
	uint64_t table = go_table_section(file)->sh_addr;

	for (size_t i = 0; i < file->nsections && !code->data; i++) {
		const Elf64_Shdr *section = &file->sections[i];

		if (section->sh_type != SHT_PROGBITS ||
		    !(section->sh_flags & SHF_WRITE) ||
		    section == go_table_section(file))
			continue;
		uint8_t *bytes = go_section_read(file, section);

		if (bytes)
			code->data = find_module(code, table, bytes,
						 section->sh_size);
		free(bytes);
	}
}

void go_code_free(struct go_code *code)
{
	if (!code || --code->users)
		return;
	elf_file_close(&code->file);
	free((void *)(uintptr_t)code->go.bytes);
	free(code->near);
	free(code);
}

struct go_code *go_code_read(int fd, struct budget *budget)
{
	struct go_code *code = must_alloc(sizeof(*code));

	*code = (struct go_code){ .users = 1 };
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	enum elf_problem problem = elf_file_open(&code->file, fd, budget);

	code->file.owns_fd = fd >= 0;
	if (problem != ELF_GOOD || !go_table_read(&code->go, &code->file) ||
	    !code->go.values_end) {
		go_code_free(code);
		return NULL;
	}
	find_data(code);
	return code;
}

struct go_code *go_code_keep(struct go_code *code)
{
	if (code)
		code->users++;
	return code;
}

void go_code_find(const struct go_code *code, struct go_code_name *names,
		  size_t count)
{
	const struct go_table *go = &code->go;
	uint32_t at;

	if (!budget_work(code->file.budget, go->count))
		return;
	for (size_t n = 0; n < go->count; n++) {
		if (!go_table_name(go, n, &at))
			continue;
		const char *name = (const char *)go->bytes + go->names + at;
		uint64_t start = go_table_start(go, n);

		for (size_t i = 0; i < count; i++) {
			if (names[i].size || strcmp(names[i].name, name))
				continue;
			names[i].start = start;
			names[i].size = go_table_start(go, n + 1) - start;
		}
	}
}

size_t go_code_bytes(struct go_code *code, const struct go_code_name *name,
		     uint8_t *to, size_t most)
{
	uint64_t size = name->size < most ? name->size : most, offset;

	if (!size || !elf_file_offset(&code->file, name->start, &offset))
		return 0;
	uint8_t *bytes = elf_file_read(&code->file, offset, size);

	if (!bytes)
		return 0;
	memcpy(to, bytes, size);
	free(bytes);
	return size;
}

const Elf64_Phdr *go_code_segment(const struct go_code *code, uint32_t type)
{
	for (size_t i = 0; i < code->file.nsegments; i++)
		if (code->file.segments[i].p_type == type)
			return &code->file.segments[i];
	return NULL;
}

/* ------------------------------------------------------------------ calls */

/* Bytes of the data; trees of one stack are mostly near each other. */
static bool read_data(struct go_code *code, uint64_t address, void *to,
		      uint64_t size)
{
	enum { WINDOW = 4 << 10 };
	uint64_t offset, into = address - code->near_start;

	if (!code->near || into > code->near_size ||
	    size > code->near_size - into) {
		uint64_t length = WINDOW;

		free(code->near);
		code->near = NULL;
		code->near_size = 0;
		if (!elf_file_offset(&code->file, address, &offset) ||
		    offset >= code->file.size)
			return false;
		if (length > code->file.size - offset)
			length = code->file.size - offset;
		code->near = elf_file_read(&code->file, offset, length);
		if (!code->near)
			return false;
		code->near_start = address;
		code->near_size = length;
		into = 0;
	}
	if (size > code->near_size)
		return false;
	memcpy(to, code->near + into, size);
	return true;
}

struct call {
	const char *name;
	uint64_t address; /* whose line is the call's */
};

static bool read_call(struct go_code *code, const struct go_function *function,
		      int32_t n, struct call *call)
{
	enum { SIZE_18 = 5, NAME_18 = 3, SIZE_20 = 4, NAME_20 = 1 };
	const struct go_table *go = &code->go;
	uint32_t numbers[SIZE_18];
	uint64_t size = (go->is_20 ? SIZE_20 : SIZE_18) * sizeof(*numbers);

	if (!code->data || function->inlined == UINT32_MAX || n < 0 ||
	    !read_data(code,
		       code->data + function->inlined + (uint32_t)n * size,
		       numbers, size))
		return false;
	unsigned name = go->is_20 ? NAME_20 : NAME_18;

	call->name = (const char *)go->bytes + go->names + numbers[name];
	call->address = function->start + numbers[name + 1];
	return numbers[name] < go->names_end - go->names && *call->name &&
	       call->address < function->end;
}

/* Tables may be long: passing them is work. */
static bool value_at(const struct go_code *code,
		     const struct go_function *function, enum go_value which,
		     uint64_t address, int32_t *value)
{
	uint32_t work = 1;
	bool is_found = budget_work(code->file.budget, work) &&
			go_table_value(&code->go, function, which, address,
				       value, &work);

	budget_work(code->file.budget, work);
	return is_found;
}

unsigned go_code_frames(struct go_code *code, uint64_t address,
			struct go_frame *frames, unsigned most)
{
	const struct go_table *go = &code->go;
	struct go_function function;
	size_t which;
	unsigned n = 0;

	if (!go_table_find(go, address, &which) ||
	    !go_table_function(go, which, &function))
		return 0;
	for (; n < most; n++) {
		int32_t file = -1, line = 0, node = -1;
		struct call call;

		value_at(code, &function, GO_FILE, address, &file);
		value_at(code, &function, GO_LINE, address, &line);
		frames[n] = (struct go_frame){
			.function = function.name,
			.file = go_table_file(go, &function, file),
			.line = line > 0 ? (uint32_t)line : 0,
		};
		if (!value_at(code, &function, GO_INLINED, address, &node) ||
		    !read_call(code, &function, node, &call))
			return n + 1;
		frames[n].function = call.name;
		address = call.address;
	}
	/* The function that there is comes last in any case. */
	if (n)
		frames[n - 1].function = function.name;
	return n;
}
