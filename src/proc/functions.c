/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of an object file, from all its tables of symbols (elf_tables.h).
 * A Go program's own table is complete; other stripped files have what they
 * export and what is in the small embedded file.
 *
 * A function has many names: puts, _IO_puts.  All are kept, with the usual one
 * first; it is also the one that other tools show.
 *
 * The symbol of an ifunc (strlen) leads to code that chooses the function and
 * runs once.  The target of the calls can be found if the file is also mapped
 * in this process, as the host's C library is: it makes the same choice for
 * every process.
 */
#include "proc/functions.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "proc/elf_tables.h"

enum { NAMES = 4 };

struct collection {
	struct elf_functions *functions;
	size_t capacity;
	size_t ntables;
	struct elf_file *file;	    /* whose segments count */
	const struct link_map *own; /* it is mapped here as well */
};

/*
 * Prefer one that is exported, has few underscores, is not only kept for old
 * programs, and is not just a default (weak).
 */
static uint8_t rank_of(const Elf64_Sym *symbol, const char *name, bool is_old)
{
	enum { MOST = 7 };
	uint8_t bind = ELF64_ST_BIND(symbol->st_info);
	size_t underscores = strspn(name, "_");

	if (underscores > MOST)
		underscores = MOST;
	return (uint8_t)((bind != STB_LOCAL) << 5 | (MOST - underscores) << 2 |
			 !is_old << 1 | (bind == STB_GLOBAL));
}

/* Pieces that a compiler put elsewhere are jumped to, not called. */
static bool is_piece(const char *name)
{
	const char *at = strstr(name, ".cold");

	return at && (!at[5] || at[5] == '.');
}

static bool is_function(const Elf64_Sym *symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_shndx < SHN_LORESERVE && symbol->st_value &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* Where calls of an ifunc end up, if that can be known. */
static uint64_t resolve(const struct collection *all, const char *name)
{
	Dl_info info;
	void *symbol = all->own ? dlsym(RTLD_DEFAULT, name) : NULL;

	if (!symbol || !dladdr(symbol, &info) ||
	    (uintptr_t)info.dli_fbase != all->own->l_addr)
		return 0;
	return (uintptr_t)symbol - all->own->l_addr;
}

static void add_piece(struct collection *all, const Elf64_Sym *symbol,
		      const char *name)
{
	struct elf_functions *functions = all->functions;
	struct elf_function piece = {
		.name = name, .start = symbol->st_value,
		.size = symbol->st_size,
	};

	if (!elf_file_offset(all->file, piece.start, &piece.offset))
		return;
	/* powers of two are when it is full */
	if (!(functions->npieces & (functions->npieces - 1)))
		functions->pieces = must_realloc(
			functions->pieces,
			checked_mul(functions->npieces ? 2 * functions->npieces
						       : 1,
				    sizeof(piece)));
	functions->pieces[functions->npieces++] = piece;
}

static void add(struct collection *all, const Elf64_Sym *symbol,
		const char *name, bool is_old)
{
	struct elf_functions *functions = all->functions;
	struct elf_function function = {
		.name = name, .start = symbol->st_value,
		.size = symbol->st_size,
		.rank = rank_of(symbol, name, is_old),
	};

	if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) {
		uint64_t chosen = resolve(all, name);

		function.is_indirect = true;
		if (chosen) {
			function.start = chosen;
			function.size = 0;
		}
	}
	if (!elf_file_offset(all->file, function.start, &function.offset))
		return;
	if (functions->count == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 1024;
		functions->items = must_realloc(functions->items,
						checked_mul(all->capacity,
							    sizeof(function)));
	}
	functions->items[functions->count++] = function;
}

/* Its names are kept, the rest is freed. */
static void add_symbols(struct collection *all, struct elf_table *table)
{
	all->functions->names[all->ntables++] = table->names;
	for (size_t i = 0; i < table->count; i++) {
		const Elf64_Sym *symbol = &table->symbols[i];
		bool is_old = false;
		const char *name =
			is_function(symbol)
				? elf_table_name_and_age(table, symbol, &is_old)
				: NULL;

		if (!name)
			continue;
		if (is_piece(name))
			add_piece(all, symbol, name);
		else
			add(all, symbol, name, is_old);
	}
	free(table->versions);
	free(table->symbols);
}

/* Many symbols may have one name, and a long one. */
static int compare_names(const struct elf_function *a,
			 const struct elf_function *b)
{
	return a->name == b->name ? 0 : strcmp(a->name, b->name);
}

static int by_name(const void *a, const void *b)
{
	return compare_names(a, b);
}

static int by_start(const void *a, const void *b)
{
	const struct elf_function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return compare_names(x, y);
}

/* What one name of an address knows about its size, all know. */
static void share_sizes(struct elf_functions *functions)
{
	struct elf_function *items = functions->items;

	for (size_t i = 0; i < functions->count;) {
		size_t end = i;
		uint64_t size = 0;

		for (; end < functions->count &&
		       items[end].start == items[i].start;
		     end++)
			if (items[end].size > size)
				size = items[end].size;
		for (; i < end; i++)
			if (!items[i].size)
				items[i].size = size;
	}
}

static int by_name_best_first(const void *a, const void *b)
{
	const struct elf_function *x = a, *y = b;
	int order = compare_names(x, y);

	return order ? order : y->rank - x->rank;
}

/* Of one address, each name once. */
static size_t remove_doubles_of(struct elf_function *items, size_t count)
{
	size_t kept = 1;

	if (count < 2)
		return count;
	qsort(items, count, sizeof(*items), by_name_best_first);
	for (size_t i = 1; i < count; i++)
		if (compare_names(&items[kept - 1], &items[i]))
			items[kept++] = items[i];
	qsort(items, kept, sizeof(*items), by_start);
	return kept;
}

static void remove_doubles(struct elf_functions *functions)
{
	struct elf_function *items = functions->items;
	size_t kept = 0;

	for (size_t i = 0, end; i < functions->count; i = end) {
		for (end = i + 1; end < functions->count &&
				  items[end].start == items[i].start;)
			end++;
		size_t count = remove_doubles_of(items + i, end - i);

		memmove(items + kept, items + i, count * sizeof(*items));
		kept += count;
	}
	functions->count = kept;
}

/* This process's own mapping of the same file, or NULL. */
static const struct link_map *own_mapping(int fd)
{
	struct stat wanted, own;
	struct link_map *map = NULL;
	void *self = dlopen(NULL, RTLD_NOW);

	if (!self || fd < 0 || fstat(fd, &wanted) ||
	    dlinfo(self, RTLD_DI_LINKMAP, &map))
		map = NULL;
	while (map &&
	       (!*map->l_name || stat(map->l_name, &own) ||
		own.st_dev != wanted.st_dev || own.st_ino != wanted.st_ino))
		map = map->l_next;
	if (self)
		dlclose(self);
	return map;
}

struct elf_functions *elf_functions_read(struct elf_file *file,
					 const char *root, const char *path)
{
	struct elf_functions *functions = must_alloc(sizeof(*functions));
	struct collection all = {
		.functions = functions, .file = file,
		.own = own_mapping(file->fd),
	};
	struct elf_tables tables;

	*functions = (struct elf_functions){ 0 };
	elf_tables_read(&tables, file, root, path, all.own);
	bool is_whole = elf_tables_have(&tables, TABLE_SYMBOLS) ||
			elf_tables_have(&tables, TABLE_GO);

	functions->is_partial = !is_whole &&
				!elf_tables_have(&tables, TABLE_INNER);
	for (size_t i = 0; i < tables.count; i++) {
		struct elf_named_table *named = &tables.items[i];

		if ((named->kind == TABLE_INNER && is_whole) ||
		    (named->kind == TABLE_EXPORTED && is_whole && !all.own))
			continue;
		add_symbols(&all, &named->table);
		named->table = (struct elf_table){ 0 };
	}
	elf_tables_close(&tables);
	if (functions->count)
		qsort(functions->items, functions->count,
		      sizeof(*functions->items), by_start);
	if (functions->npieces)
		qsort(functions->pieces, functions->npieces,
		      sizeof(*functions->pieces), by_name);
	remove_doubles(functions);
	share_sizes(functions);
	return functions;
}

void elf_functions_free(struct elf_functions *functions)
{
	if (!functions)
		return;
	for (size_t i = 0; i < NAMES; i++)
		free(functions->names[i]);
	free(functions->items);
	free(functions->pieces);
	free(functions);
}
