/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols of an object file, from all its tables (elf_tables.h), to find the
 * name of an address, and the address of a name.
 *
 * Addresses are those of the file ("as linked"): the caller turns a mapping's
 * file offset into one with the program headers.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/budget.h"
#include "proc/elf_tables.h"
#include "proc/symbols.h"

enum { NEIGHBOURS = 16 };

struct entry {
	uint64_t start, size;
	uint32_t name;
	uint8_t rank; /* the better of several names is higher */
};

struct elf_symbols {
	struct entry *entries;
	size_t count, capacity;
	char *names; /* ends in NUL */
	size_t names_size, names_capacity;
	struct budget *budget;
	uint64_t held; /* of that */
	Elf64_Phdr *segments;
	size_t nsegments;
	/* of functions that a stripped file has no names for */
	struct elf_start *starts;
	size_t nstarts;
};

static uint8_t rank_of(const Elf64_Sym *symbol, const char *name, bool is_old)
{
	uint8_t bind = ELF64_ST_BIND(symbol->st_info);
	int rank = ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE ? 0 : 8;

	rank += bind == STB_GLOBAL || bind == STB_WEAK ? 4 : 0;
	rank += name[0] != '_' ? 2 : 0;
	return (uint8_t)(rank + !is_old);
}

/* Labels without a type or size only mean something among instructions. */
static bool is_wanted(const struct elf_file *file, const Elf64_Sym *symbol)
{
	if (symbol->st_shndx == SHN_UNDEF ||
	    symbol->st_shndx >= file->nsections || !symbol->st_value)
		return false;
	switch (ELF64_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_OBJECT:
		return symbol->st_size != 0;
	case STT_NOTYPE:
		return symbol->st_size ||
		       (file->sections[symbol->st_shndx].sh_flags &
			SHF_EXECINSTR);
	default:
		return false;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->name < y->name ? 1 : -1;
}

static void add(struct elf_symbols *elf, const struct entry *entry)
{
	if (elf->count == elf->capacity) {
		elf->capacity = elf->capacity ? 2 * elf->capacity : 256;
		elf->entries = must_realloc(elf->entries,
					    checked_mul(elf->capacity,
							sizeof(*entry)));
	}
	elf->entries[elf->count++] = *entry;
}

/* Appends a name of one more table after the others; returns its offset. */
static size_t add_name(struct elf_symbols *elf, const char *name)
{
	size_t at = elf->names_size, size = strlen(name) + 1;

	if (at + size > elf->names_capacity) {
		elf->names_capacity = 2 * (at + size);
		elf->names = must_realloc(elf->names, elf->names_capacity);
	}
	memcpy(elf->names + at, name, size);
	elf->names_size += size;
	return at;
}

/* Frees the table, but takes over the names of the first, holes included. */
static void take_symbols(struct elf_symbols *elf, const struct elf_file *file,
			 struct elf_table *table)
{
	bool is_first = !elf->names;

	for (size_t i = 0; i < table->count; i++) {
		const Elf64_Sym *symbol = &table->symbols[i];
		bool is_old = false;
		const char *name =
			is_wanted(file, symbol)
				? elf_table_name_and_age(table, symbol, &is_old)
				: NULL;
		size_t at;

		if (!name)
			continue;
		at = is_first ? symbol->st_name : add_name(elf, name);
		if (at > UINT32_MAX)
			break;
		add(elf, &(struct entry){
				 .start = symbol->st_value,
				 .size = symbol->st_size,
				 .name = (uint32_t)at,
				 .rank = rank_of(symbol, name, is_old),
			 });
	}
	free(table->versions);
	free(table->symbols);
	if (is_first) {
		elf->names = table->names;
		elf->names_size = table->names_size + 1;
		elf->names_capacity = elf->names_size;
	} else {
		free(table->names);
	}
	if (elf->count)
		qsort(elf->entries, elf->count, sizeof(struct entry), by_start);
}

/*
 * What is kept stays charged to the budget; small files are not charged while
 * they are read.
 */
static void close_read(struct elf_symbols *elf, struct elf_file *file)
{
	enum { LEAST = 64 << 10 };
	uint64_t kept = file->held + elf->count * sizeof(*elf->entries) +
			(elf->names_size < LEAST ? elf->names_size : LEAST);

	elf_file_close(file);
	if (budget_hold(elf->budget, kept))
		elf->held += kept;
}

static void take_all(struct elf_symbols *elf, struct elf_file *file,
		     const char *root, const char *path)
{
	struct elf_tables tables;

	elf_tables_read(&tables, file, root, path, false);
	if (!elf_tables_have(&tables, TABLE_SYMBOLS) &&
	    !elf_tables_have(&tables, TABLE_GO))
		elf->starts = elf_file_code_starts(file, &elf->nstarts);
	for (size_t i = 0; i < tables.count; i++) {
		take_symbols(elf, tables.items[i].file, &tables.items[i].table);
		tables.items[i].table = (struct elf_table){ 0 };
	}
	if (tables.has_debug)
		close_read(elf, &tables.debug);
	if (tables.has_inner)
		close_read(elf, &tables.inner);
}

/* Closes the file. */
static struct elf_symbols *take_file(struct elf_file *file,
				     enum elf_problem problem, const char *root,
				     const char *path)
{
	struct elf_symbols *elf = must_alloc(sizeof(*elf));

	*elf = (struct elf_symbols){ .budget = file->budget };
	if (problem == ELF_GOOD)
		take_all(elf, file, root, path);
	elf->segments = file->segments;
	elf->nsegments = file->nsegments;
	file->segments = NULL;
	close_read(elf, file);
	return elf;
}

struct elf_symbols *elf_symbols_read(int fd, const char *root, const char *path,
				     struct budget *budget)
{
	struct elf_file file;
	enum elf_problem problem = elf_file_open(&file, fd, budget);

	return take_file(&file, problem, root, path);
}

struct elf_symbols *elf_symbols_vdso(void)
{
	const void *memory = (const void *)getauxval(AT_SYSINFO_EHDR);
	struct elf_file file;
	enum elf_problem problem = elf_file_open_memory(&file, memory,
							memory ? ARCH_VDSO_SIZE
							       : 0);

	return take_file(&file, problem, "", NULL);
}

void elf_symbols_free(struct elf_symbols *elf)
{
	if (!elf)
		return;
	budget_release(elf->budget, elf->held);
	free(elf->entries);
	free(elf->names);
	free(elf->segments);
	free(elf->starts);
	free(elf);
}

bool elf_symbols_address(const struct elf_symbols *elf, uint64_t offset,
			 uint64_t *address)
{
	for (size_t i = 0; i < elf->nsegments; i++) {
		const Elf64_Phdr *segment = &elf->segments[i];

		/* Mappings are whole pages: a little before and after. */
		uint64_t slack = segment->p_vaddr & 0xfff;

		if (segment->p_type != PT_LOAD ||
		    offset + slack < segment->p_offset ||
		    offset >= ((segment->p_offset + segment->p_filesz + 0xfff) &
			       ~UINT64_C(0xfff)))
			continue;
		*address = segment->p_vaddr + offset - segment->p_offset;
		if (offset >= segment->p_offset &&
		    offset < segment->p_offset + segment->p_filesz)
			return true;
	}
	return elf->nsegments != 0;
}

static const struct entry *nearest(const struct elf_symbols *elf,
				   uint64_t address)
{
	size_t low = 0, high = elf->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (elf->entries[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	/* Small symbols may be inside larger ones. */
	for (size_t n = 0; n < NEIGHBOURS && low > n; n++) {
		const struct entry *entry = &elf->entries[low - 1 - n];

		if (address - entry->start < entry->size ||
		    (!entry->size && !n))
			return entry;
	}
	return NULL;
}

bool elf_symbols_find(const struct elf_symbols *elf, uint64_t address,
		      const char **name, uint64_t *start)
{
	const struct entry *entry = nearest(elf, address);

	if (!entry)
		return false;
	*name = elf->names + entry->name;
	*start = entry->start;
	return true;
}

uint64_t elf_symbols_code_start(const struct elf_symbols *elf, uint64_t address)
{
	size_t low = 0, high = elf->nstarts;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (elf->starts[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? elf->starts[low - 1].address : address;
}

bool elf_symbols_lookup(const struct elf_symbols *elf, struct str name,
			uint64_t *address)
{
	enum { COST = 16 };

	if (!budget_work(elf->budget, elf->count * COST))
		return false;
	for (size_t i = 0; i < elf->count; i++) {
		if (!str_equal(str_of(elf->names + elf->entries[i].name), name))
			continue;
		*address = elf->entries[i].start;
		return true;
	}
	return false;
}
