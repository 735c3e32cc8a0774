/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where debugging information is; see debug_info.h.
 *
 * Sections may be compressed, with zlib or zstd.  As with xz (elf_file.c) the
 * library is looked for when the first such section is met.
 *
 * A package's debug files may share what they have in common in one more file,
 * which they name by a path, absolute or from where they are themselves.
 */
#include "proc/debug_info.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/budget.h"
#include "proc/foreign.h"

/* Whatever the budget: no section is larger. */
static const uint64_t UNPACKED_LIMIT = 4ull << 30;

enum { ZLIB = 1, ZSTD = 2 };

/* As zlib.h and zstd.h have them. */
typedef int zlib_function(uint8_t *to, unsigned long *to_size,
			  const uint8_t *from, unsigned long from_size);
typedef size_t zstd_function(void *to, size_t to_size, const void *from,
			     size_t from_size);

static void *find(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW);

	return handle ? dlsym(handle, name) : NULL;
}

static bool unpack(uint32_t kind, const uint8_t *from, size_t from_size,
		   uint8_t *to, size_t to_size, enum debug_problem *problem)
{
	void *symbol = kind == ZLIB   ? find("libz.so.1", "uncompress")
		       : kind == ZSTD ? find("libzstd.so.1", "ZSTD_decompress")
				      : NULL;
	zlib_function *zlib;
	zstd_function *zstd;
	unsigned long size = to_size;

	if (!symbol) {
		*problem = DEBUG_PACKED;
		return false;
	}
	if (kind == ZSTD) {
		memcpy(&zstd, &symbol, sizeof(zstd));
		return zstd(to, to_size, from, from_size) == to_size;
	}
	memcpy(&zlib, &symbol, sizeof(zlib));
	return !zlib(to, &size, from, from_size) && size == to_size;
}

static uint8_t *unpacked(struct elf_file *file, uint8_t *packed, size_t *size,
			 enum debug_problem *problem)
{
	Elf64_Chdr head = { 0 };
	uint8_t *bytes = NULL;

	if (*size > sizeof(head)) {
		memcpy(&head, packed, sizeof(head));
		if (head.ch_size < UNPACKED_LIMIT &&
		    elf_file_afford(file, head.ch_size))
			bytes = malloc(head.ch_size + 1);
		else
			*problem = DEBUG_LARGE;
	}
	if (bytes &&
	    !unpack(head.ch_type, packed + sizeof(head), *size - sizeof(head),
		    bytes, head.ch_size, problem)) {
		free(bytes);
		bytes = NULL;
	}
	if (bytes) {
		*size = head.ch_size;
		bytes[*size] = '\0';
	}
	free(packed);
	return bytes;
}

static bool has_section(const struct elf_file *file, const char *name)
{
	const Elf64_Shdr *section = elf_file_section(file, name);

	return section && section->sh_type != SHT_NOBITS && section->sh_size;
}

uint8_t *debug_info_section(struct debug_info *info, const char *name,
			    size_t *size, enum debug_problem *problem)
{
	const Elf64_Shdr *section = elf_file_section(&info->file, name);
	uint8_t *bytes = elf_file_read_section(&info->file, section);

	*size = bytes ? section->sh_size : 0;
	if (!bytes && has_section(&info->file, name))
		*problem = DEBUG_LARGE;
	if (bytes && section->sh_flags & SHF_COMPRESSED)
		bytes = unpacked(&info->file, bytes, size, problem);
	if (!bytes)
		*size = 0;
	return bytes;
}

bool debug_info_open(struct debug_info *info, struct elf_file *file,
		     const char *root, const char *path, const char *section)
{
	*info = (struct debug_info){ .file = *file };
	info->file.held = 0;
	if (has_section(file, section))
		return true;
	if (!elf_file_open_debug(file, root, path, &info->file))
		return false;
	info->is_own = true;
	if (has_section(&info->file, section))
		return true;
	debug_info_close(info);
	return false;
}

void debug_info_close(struct debug_info *info)
{
	if (info->is_own)
		elf_file_close(&info->file);
	else
		budget_release(info->file.budget, info->file.held);
	*info = (struct debug_info){ .file.fd = -1 };
}

bool debug_info_open_shared(struct debug_info *info, const char *root,
			    struct debug_info *shared)
{
	char here[64], path[PATH_MAX], where[2 * PATH_MAX];
	char *link = elf_file_read_section(
		&info->file,
		elf_file_section(&info->file, ".gnu_debugaltlink"));
	struct stat stat;
	ssize_t length;

	if (!link)
		return false;
	snprintf(here, sizeof(here), "/proc/self/fd/%d", info->file.fd);
	length = link[0] == '/' ? 0 : readlink(here, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	char *slash = strrchr(path, '/');

	if (slash)
		slash[1] = '\0';
	snprintf(where, sizeof(where), "%s%.*s", path, PATH_MAX, link);
	free(link);
	int fd = fstat(info->file.fd, &stat)
			 ? -1
			 : foreign_open(slash ? "" : root, where, true,
					stat.st_uid);

	*shared = (struct debug_info){ .is_own = true };
	bool is_good = elf_file_open(&shared->file, fd, info->file.budget) ==
		       ELF_GOOD;

	shared->file.owns_fd = true;
	if (!is_good)
		debug_info_close(shared);
	return is_good;
}
