/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's symbols, from /proc/kallsyms.
 *
 * A line is "address type name[\t[module]]"; the kernel proper has no module
 * and is called vmlinux.  The file has some 200,000 lines and takes a tenth of
 * a second, so it is not read before the first name is printed; by then it has
 * our own programs, too.
 *
 * Sizes are not in the file: a symbol reaches up to the next one.  After the
 * last symbol of a module there may be a hole, so its length is limited.
 * Without CAP_SYSLOG all addresses read as 0 and nothing is known.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/arena.h"
#include "proc/symbols.h"

enum { CHUNK = 1 << 16, LAST_REACH = 1 << 16 };

struct entry {
	uint64_t address;
	const char *name;
	uint32_t module; /* index */
};

struct module {
	const char *name;
	uint64_t start; /* lowest symbol */
};

struct kernel_symbols {
	struct text text;
	struct entry *entries;
	size_t count, capacity;
	struct module *modules;
	uint32_t nmodules;
};

static bool read_all(struct text *text, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	char *buffer = must_alloc(CHUNK);

	while ((n = read(fd, buffer, CHUNK)) > 0)
		text_add(text, buffer, (size_t)n);
	free(buffer);
	close(fd);
	return text->n != 0;
}

static uint32_t module_of(struct kernel_symbols *table, const char *name)
{
	/* Modules are contiguous: try the last one first. */
	for (uint32_t i = table->nmodules; i > 0; i--)
		if (!strcmp(table->modules[i - 1].name, name))
			return i - 1;
	table->modules = must_realloc(table->modules,
				      checked_mul(table->nmodules + 1,
						  sizeof(struct module)));
	table->modules[table->nmodules] = (struct module){ name, 0 };
	return table->nmodules++;
}

static void add(struct kernel_symbols *table, uint64_t address,
		const char *name, uint32_t module)
{
	if (table->count == table->capacity) {
		table->capacity = table->capacity ? table->capacity * 2 : 4096;
		table->entries = must_realloc(
			table->entries,
			checked_mul(table->capacity, sizeof(struct entry)));
	}
	table->entries[table->count++] = (struct entry){ address, name,
							 module };
}

/* The text of the line is split into strings in place. */
static void parse_line(struct kernel_symbols *table, char *line)
{
	char *rest, *name, *module;
	uint64_t address = strtoull(line, &rest, 16);

	/* Addresses of per-CPU variables are offsets: no kernel address. */
	if ((int64_t)address >= 0 || rest[0] != ' ' || !rest[1] ||
	    rest[2] != ' ')
		return;
	name = rest + 3;
	module = strchr(name, '\t');
	if (!module) {
		add(table, address, name, module_of(table, "vmlinux"));
		return;
	}
	*module++ = '\0';
	if (*module == '[')
		module++;
	module[strcspn(module, "]")] = '\0';
	add(table, address, name, module_of(table, module));
}

static int by_address(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	/* Of several names, the one that the kernel itself uses: the first. */
	return x->name < y->name ? -1 : 1;
}

struct kernel_symbols *kernel_symbols_read(const char *path)
{
	struct kernel_symbols *table = must_alloc(sizeof(*table));

	*table = (struct kernel_symbols){ 0 };
	if (!read_all(&table->text, path))
		return table;
	for (char *line = table->text.p, *end; line && *line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		parse_line(table, line);
	}
	qsort(table->entries, table->count, sizeof(struct entry), by_address);
	for (size_t i = table->count; i > 0; i--)
		table->modules[table->entries[i - 1].module].start =
			table->entries[i - 1].address;
	return table;
}

bool kernel_symbols_hidden(const struct kernel_symbols *table)
{
	return table->text.n && !table->count;
}

void kernel_symbols_free(struct kernel_symbols *table)
{
	if (!table)
		return;
	text_free(&table->text);
	free(table->entries);
	free(table->modules);
	free(table);
}

static size_t first_behind(const struct kernel_symbols *table, uint64_t address)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->entries[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool kernel_symbols_find(const struct kernel_symbols *table, uint64_t address,
			 struct symbol *symbol)
{
	size_t behind = first_behind(table, address);

	if (!behind)
		return false;
	size_t at = behind - 1;
	uint64_t start = table->entries[at].address;
	bool is_last = behind == table->count ||
		       table->entries[behind].module !=
			       table->entries[at].module;

	if (is_last && address - start >= LAST_REACH)
		return false;
	while (at && table->entries[at - 1].address == start)
		at--;
	const struct module *module =
		&table->modules[table->entries[at].module];

	*symbol = (struct symbol){
		.module = module->name,
		.module_start = module->start,
		.name = table->entries[at].name,
		.start = start,
		.offset = address - start,
	};
	return true;
}
