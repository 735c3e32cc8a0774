/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading ELF files; see elf_file.h.
 *
 * .gnu_debugdata is compressed with xz.  The library for that is loaded when
 * the first such section is found: few files have one, and every program would
 * pay for linking it.
 */
#include "proc/elf_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/budget.h"
#include "proc/foreign.h"

enum {
	NOTE_LIMIT = 1 << 16, BUILD_ID_LIMIT = 64, NAME_LIMIT = 1 << 16,
	XZ_MEMORY = 256 << 20, SMALL = 64 << 10,
	READ_WORK = 512,	/* of a system call, in bytes */
	SEGMENTS_MOST = 256,	/* a lookup walks over all */
};
static const uint64_t PART_LIMIT = 4ull << 30; /* of address space */

/* ------------------------------------------------------------------ bytes */

/* The next part of [at, end) that is not a hole; false if there is none. */
static bool next_data(const struct elf_file *file, uint64_t at, uint64_t end,
		      uint64_t *start, uint64_t *stop)
{
	*start = at;
	*stop = end;
	if (file->memory || at >= end)
		return at < end;
	off_t data = lseek(file->fd, (off_t)at, SEEK_DATA);

	/* ENXIO: only a hole; else the file system does not know */
	if (data < 0)
		return errno != ENXIO;
	if ((uint64_t)data > at)
		*start = (uint64_t)data;
	off_t hole = lseek(file->fd, (off_t)*start, SEEK_HOLE);

	if (hole > (off_t)*start && (uint64_t)hole < end)
		*stop = (uint64_t)hole;
	return *start < end;
}

uint64_t elf_file_dense(const struct elf_file *file, uint64_t offset,
			uint64_t size)
{
	uint64_t start, stop;

	if (offset > file->size || size > file->size - offset ||
	    !next_data(file, offset, offset + size, &start, &stop) ||
	    start != offset)
		return 0;
	return stop - offset;
}

/* Small parts do not count: they are freed soon. */
bool elf_file_afford(struct elf_file *file, uint64_t size)
{
	bool is_kept = size >= SMALL;

	if (!budget_work(file->budget, size + READ_WORK) ||
	    (is_kept && !budget_hold(file->budget, size))) {
		budget_refuse(file->budget, file->fd);
		return false;
	}
	if (is_kept)
		file->held += size;
	return true;
}

static bool copy(struct elf_file *file, char *to, uint64_t offset,
		 uint64_t size)
{
	if (!elf_file_afford(file, size))
		return false;
	if (file->memory) {
		memcpy(to, file->memory + offset, size);
		return true;
	}
	for (uint64_t done = 0; done < size;) {
		ssize_t n = pread(file->fd, to + done, size - done,
				  (off_t)(offset + done));

		if (n <= 0)
			return false;
		done += (uint64_t)n;
	}
	return true;
}

/* Holes are zeros, which memory from the kernel has already. */
void *elf_file_read(struct elf_file *file, uint64_t offset, uint64_t size)
{
	if (!size || offset > file->size || size > file->size - offset)
		return NULL;
	if (size > PART_LIMIT) {
		budget_refuse(file->budget, file->fd);
		return NULL;
	}
	char *bytes = calloc(size + 1, 1);
	uint64_t at = offset, end = offset + size, start, stop;
	bool is_good = bytes;

	if (size < SMALL)
		is_good = is_good && copy(file, bytes, offset, size);
	else
		for (; is_good && next_data(file, at, end, &start, &stop);
		     at = stop)
			is_good = copy(file, bytes + (start - offset), start,
				       stop - start);
	if (is_good)
		return bytes;
	free(bytes);
	return NULL;
}

/* ---------------------------------------------------------------- headers */

static void read_sections(struct elf_file *file)
{
	const Elf64_Ehdr *header = &file->header;

	if (header->e_shentsize != sizeof(Elf64_Shdr))
		return;
	file->sections = elf_file_read(file, header->e_shoff,
				       (uint64_t)header->e_shnum *
					       sizeof(Elf64_Shdr));
	file->nsections = file->sections ? header->e_shnum : 0;
	if (header->e_shstrndx >= file->nsections)
		return;
	const Elf64_Shdr *names = &file->sections[header->e_shstrndx];

	file->names = elf_file_read_section(file, names);
	file->names_size = file->names ? names->sh_size : 0;
}

static enum elf_problem read_headers(struct elf_file *file)
{
	Elf64_Ehdr *header = elf_file_read(file, 0, sizeof(*header));

	if (!header)
		return ELF_NOT_ELF;
	file->header = *header;
	free(header);
	if (memcmp(file->header.e_ident, ELFMAG, SELFMAG))
		return ELF_NOT_ELF;
	if (file->header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    file->header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    file->header.e_machine != ARCH_ELF_MACHINE)
		return ELF_OTHER_MACHINE;
	if (file->header.e_phentsize == sizeof(Elf64_Phdr)) {
		file->segments = elf_file_read(file, file->header.e_phoff,
					       (uint64_t)file->header.e_phnum *
						       sizeof(Elf64_Phdr));
		file->nsegments = file->segments ? file->header.e_phnum : 0;
		if (file->nsegments > SEGMENTS_MOST)
			file->nsegments = SEGMENTS_MOST;
	}
	read_sections(file);
	return ELF_GOOD;
}

enum elf_problem elf_file_open(struct elf_file *file, int fd,
			       struct budget *budget)
{
	struct stat stat;

	*file = (struct elf_file){ .fd = fd, .budget = budget };
	if (fd < 0 || fstat(fd, &stat) || !S_ISREG(stat.st_mode))
		return ELF_UNREADABLE;
	file->size = (uint64_t)stat.st_size;
	return read_headers(file);
}

enum elf_problem elf_file_open_memory(struct elf_file *file, const void *memory,
				      size_t size)
{
	*file = (struct elf_file){ .fd = -1, .size = size };
	file->memory = size ? malloc(size) : NULL;
	if (!file->memory)
		return ELF_UNREADABLE;
	memcpy(file->memory, memory, size);
	return read_headers(file);
}

void elf_file_close(struct elf_file *file)
{
	if (file->owns_fd && file->fd >= 0)
		close(file->fd);
	budget_release(file->budget, file->held);
	free(file->memory);
	free(file->sections);
	free(file->segments);
	free(file->names);
	*file = (struct elf_file){ .fd = -1 };
}

const Elf64_Shdr *elf_file_section(const struct elf_file *file,
				   const char *name)
{
	for (size_t i = 0; i < file->nsections; i++)
		if (file->sections[i].sh_name < file->names_size &&
		    !strcmp(file->names + file->sections[i].sh_name, name))
			return &file->sections[i];
	return NULL;
}

void *elf_file_read_section(struct elf_file *file, const Elf64_Shdr *section)
{
	if (!section || section->sh_type == SHT_NOBITS)
		return NULL;
	return elf_file_read(file, section->sh_offset, section->sh_size);
}

static const Elf64_Shdr *find_table(const struct elf_file *file, uint32_t type)
{
	for (size_t i = 0; i < file->nsections; i++)
		if (file->sections[i].sh_type == type &&
		    file->sections[i].sh_link < file->nsections)
			return &file->sections[i];
	return NULL;
}

/*
 * Entries of a table, without those in holes: all zeros is not a symbol.  NULL
 * if there are none.
 */
static Elf64_Sym *read_symbols(struct elf_file *file, const Elf64_Shdr *section,
			       size_t *count)
{
	enum { ENTRY = sizeof(Elf64_Sym) };
	uint64_t at = 0, end = section->sh_size / ENTRY * ENTRY, start, stop;
	uint64_t base = section->sh_offset, size = 0;
	char *bytes = NULL;

	if (base > file->size || end > file->size - base)
		return NULL;
	for (; next_data(file, base + at, base + end, &start, &stop);
	     at = stop) {
		char *more;

		start = (start - base) / ENTRY * ENTRY;
		start = start < at ? at : start;
		stop = (stop - base + ENTRY - 1) / ENTRY * ENTRY;
		stop = stop > end ? end : stop;
		more = realloc(bytes, size + (stop - start));
		bytes = more ? more : bytes;
		if (!more ||
		    !copy(file, bytes + size, base + start, stop - start))
			break;
		size += stop - start;
	}
	*count = size / ENTRY;
	return (Elf64_Sym *)bytes;
}

/* Only if there is one for each symbol that was read. */
static Elf64_Half *read_versions(struct elf_file *file, size_t count)
{
	const Elf64_Shdr *section = find_table(file, SHT_GNU_versym);

	return section && section->sh_size == count * sizeof(Elf64_Half)
		       ? elf_file_read_section(file, section)
		       : NULL;
}

bool elf_file_read_table(struct elf_file *file, uint32_t type,
			 struct elf_table *table)
{
	const Elf64_Shdr *section = find_table(file, type);

	if (!section || section->sh_type == SHT_NOBITS)
		return false;
	const Elf64_Shdr *strings = &file->sections[section->sh_link];

	*table = (struct elf_table){ .file = file };
	table->symbols = read_symbols(file, section, &table->count);
	table->names = elf_file_read_section(file, strings);
	table->names_size = strings->sh_size;
	if (table->symbols && table->names) {
		if (type == SHT_DYNSYM)
			table->versions = read_versions(file, table->count);
		return true;
	}
	elf_table_free(table);
	return false;
}

void elf_table_free(struct elf_table *table)
{
	free(table->symbols);
	free(table->versions);
	free(table->names);
}

const char *elf_table_name(struct elf_table *table, const Elf64_Sym *symbol)
{
	bool is_old;

	return elf_table_name_and_age(table, symbol, &is_old);
}

/* Names may share their bytes, so that few have many long ones. */
const char *elf_table_name_and_age(struct elf_table *table,
				   const Elf64_Sym *symbol, bool *is_old)
{
	enum { HIDDEN = 0x8000 };

	if (symbol->st_name >= table->names_size)
		return NULL;
	char *name = table->names + symbol->st_name;
	size_t most = table->names_size - symbol->st_name;
	size_t length = strnlen(name, most < NAME_LIMIT ? most : NAME_LIMIT);

	if (!length || length == NAME_LIMIT)
		return NULL;
	if (table->file && !budget_work(table->file->budget, length)) {
		budget_refuse(table->file->budget, table->file->fd);
		return NULL;
	}
	char *version = memchr(name + 1, '@', length - 1);

	*is_old = table->versions
			  ? table->versions[symbol - table->symbols] & HIDDEN
			  : version && version[1] != '@';
	if (version)
		*version = '\0';
	return name;
}

bool elf_file_offset(const struct elf_file *file, uint64_t address,
		     uint64_t *offset)
{
	for (size_t i = 0; i < file->nsegments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];

		if (segment->p_type != PT_LOAD || address < segment->p_vaddr ||
		    address - segment->p_vaddr >= segment->p_filesz)
			continue;
		*offset = segment->p_offset + (address - segment->p_vaddr);
		return true;
	}
	return false;
}

bool elf_file_is_code(const struct elf_file *file, uint64_t address)
{
	for (size_t i = 0; i < file->nsegments; i++)
		if (file->segments[i].p_type == PT_LOAD &&
		    (file->segments[i].p_flags & PF_X) &&
		    address >= file->segments[i].p_vaddr &&
		    address - file->segments[i].p_vaddr <
			    file->segments[i].p_filesz)
			return true;
	return false;
}

/* Linkers create a table of 32-bit pairs, relative to itself. */
struct elf_start *elf_file_code_starts(struct elf_file *file, size_t *count)
{
	enum { HEAD = 12, VERSION = 1, COUNT_PLAIN = 0x03, PAIRS = 0x3b };
	const Elf64_Shdr *section = elf_file_section(file, ".eh_frame_hdr");
	uint8_t *bytes = elf_file_read_section(file, section);
	struct elf_start *starts = NULL;
	uint32_t n;

	*count = 0;
	if (bytes && section->sh_size >= HEAD && bytes[0] == VERSION &&
	    bytes[2] == COUNT_PLAIN && bytes[3] == PAIRS) {
		memcpy(&n, bytes + 8, sizeof(n));
		if (n > (section->sh_size - HEAD) / 8)
			n = (uint32_t)((section->sh_size - HEAD) / 8);
		starts = must_alloc(checked_mul(n + 1, sizeof(*starts)));
		for (uint32_t i = 0; i < n; i++) {
			int32_t pair[2];

			memcpy(pair, bytes + HEAD + sizeof(pair) * i,
			       sizeof(pair));
			starts[i].address = section->sh_addr +
					    (uint64_t)(int64_t)pair[0];
			starts[i].description = section->sh_addr +
						(uint64_t)(int64_t)pair[1];
		}
		*count = n;
	}
	free(bytes);
	return starts;
}

bool elf_file_starts_with_frame(struct elf_file *file,
				const struct elf_start *start)
{
	/* length, its CIE, start, size; then what augments it */
	enum { SIZE = 32, AUGMENTED = 16, DEF_CFA = 0x0c, DEF_OFFSET = 0x0e };
	uint64_t offset;
	uint8_t *bytes = elf_file_offset(file, start->description, &offset)
				 ? elf_file_read(file, offset, SIZE)
				 : NULL;

	if (!bytes)
		return false;
	/* the first instruction: it says how far the caller's frame is */
	unsigned at = AUGMENTED + 1u + bytes[AUGMENTED];
	bool has_frame = bytes[AUGMENTED] < 8 && bytes[at] >= DEF_CFA &&
			 bytes[at] <= DEF_OFFSET;

	free(bytes);
	return has_frame;
}

uint64_t elf_file_piece_size(struct elf_file *file,
			     const struct elf_start *start)
{
	enum { SIZE = 16, LENGTH = 12 }; /* as above */
	uint64_t room = start[1].address - start->address, offset;
	uint8_t *bytes = elf_file_offset(file, start->description, &offset)
				 ? elf_file_read(file, offset, SIZE)
				 : NULL;
	uint32_t length = 0;

	if (bytes)
		memcpy(&length, bytes + LENGTH, sizeof(length));
	free(bytes);
	return length && length < room ? length : room;
}

/* ----------------------------------------------------- files that belong */

static bool find_build_id(struct elf_file *file, uint8_t *id, uint32_t *length)
{
	for (size_t i = 0; i < file->nsections; i++) {
		const Elf64_Shdr *section = &file->sections[i];

		if (section->sh_type != SHT_NOTE || section->sh_size < 16 ||
		    section->sh_size > NOTE_LIMIT)
			continue;
		uint32_t *note = elf_file_read_section(file, section);

		if (!note)
			continue;
		bool is_it = note[0] == 4 && note[2] == NT_GNU_BUILD_ID &&
			     !memcmp(note + 3, "GNU", 4) && note[1] >= 2 &&
			     note[1] <= BUILD_ID_LIMIT &&
			     16 + (uint64_t)note[1] <= section->sh_size;

		if (is_it) {
			*length = note[1];
			memcpy(id, note + 4, *length);
		}
		free(note);
		if (is_it)
			return true;
	}
	return false;
}

/* Is it from the same build, if both have a build id? */
static bool is_same_build(struct elf_file *file, struct elf_file *debug)
{
	uint8_t own[BUILD_ID_LIMIT], other[BUILD_ID_LIMIT];
	uint32_t own_length, other_length;

	return !find_build_id(file, own, &own_length) ||
	       !find_build_id(debug, other, &other_length) ||
	       (own_length == other_length && !memcmp(own, other, own_length));
}

static bool open_debug(struct elf_file *file, const char *root,
		       const char *path, struct elf_file *debug)
{
	struct stat stat;

	if (file->fd < 0 || fstat(file->fd, &stat))
		return false;
	int fd = foreign_open(root, path, true, stat.st_uid);
	bool is_good = elf_file_open(debug, fd, file->budget) == ELF_GOOD;

	debug->owns_fd = true;
	is_good = is_good && is_same_build(file, debug);
	if (!is_good)
		elf_file_close(debug);
	return is_good;
}

bool elf_file_debug_path(struct elf_file *file, const char *root, char *path,
			 size_t size)
{
	uint8_t id[BUILD_ID_LIMIT];
	char digits[2 * BUILD_ID_LIMIT + 1] = "";
	uint32_t length;

	if (!find_build_id(file, id, &length))
		return false;
	for (uint32_t i = 1; i < length; i++)
		snprintf(digits + 2 * (i - 1), 3, "%02x", id[i]);
	int n = snprintf(path, size, "%s/usr/lib/debug/.build-id/%02x/%s.debug",
			 root, id[0], digits);

	return n > 0 && (size_t)n < size;
}

static bool open_by_build_id(struct elf_file *file, const char *root,
			     struct elf_file *debug)
{
	char path[PATH_MAX];

	return elf_file_debug_path(file, "", path, sizeof(path)) &&
	       open_debug(file, root, path, debug);
}

static bool open_by_link(struct elf_file *file, const char *root,
			 const char *path, struct elf_file *debug)
{
	char *link = elf_file_read_section(file,
					   elf_file_section(file,
							    ".gnu_debuglink"));
	const char *slash = strrchr(path, '/');
	int length = slash ? (int)(slash - path) : 0;
	static const char *const forms[] = {
		"%.*s/%s", "%.*s/.debug/%s", "/usr/lib/debug%.*s/%s",
	};
	bool found = false;

	for (size_t i = 0;
	     link && !found && i < sizeof(forms) / sizeof(forms[0]); i++) {
		char where[PATH_MAX];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		int n = snprintf(where, sizeof(where), forms[i], length, path,
				 link);
#pragma GCC diagnostic pop
		found = n > 0 && (size_t)n < sizeof(where) &&
			open_debug(file, root, where, debug);
	}
	free(link);
	return found;
}

/* For a process in a root inside ours the kernel shows the longer path. */
static const char *path_below(const char *root, const char *path)
{
	char prefix[PATH_MAX];
	ssize_t n = path ? readlink(root, prefix, sizeof(prefix)) : 0;

	return n > 1 && n < PATH_MAX && !strncmp(path, prefix, (size_t)n) &&
			       path[n] == '/'
		       ? path + n
		       : path;
}

bool elf_file_open_debug(struct elf_file *file, const char *root,
			 const char *path, struct elf_file *debug)
{
	const char *roots[] = { root, "" };
	const char *paths[] = { *root ? path_below(root, path) : path, path };

	for (size_t i = 0; i < (*root ? 2 : 1); i++) {
		/* files inside its root must be looked up from there */
		bool is_inner = i && paths[0] != path;

		if (open_by_build_id(file, roots[i], debug) ||
		    (path && !is_inner &&
		     open_by_link(file, roots[i], paths[i], debug)))
			return true;
	}
	return false;
}

/* ------------------------------------------------------- .gnu_debugdata */

/* As lzma.h has it. */
typedef int decode_function(uint64_t *memory_limit, uint32_t flags,
			    const void *allocator, const uint8_t *in,
			    size_t *in_at, size_t in_size, uint8_t *out,
			    size_t *out_at, size_t out_size);

static decode_function *find_decoder(void)
{
	static decode_function *decode;
	static bool is_tried;

	if (!is_tried) {
		void *library = dlopen("liblzma.so.5", RTLD_NOW);
		void *symbol = library ? dlsym(library,
					       "lzma_stream_buffer_decode")
				       : NULL;

		memcpy(&decode, &symbol, sizeof(decode));
		is_tried = true;
	}
	return decode;
}

/* The size is not known in advance: grow the buffer until it fits. */
static uint8_t *unpack(struct elf_file *file, const uint8_t *packed,
		       size_t packed_size, size_t *size)
{
	enum { FINE = 0, NO_ROOM = 10 };
	decode_function *decode = find_decoder();

	for (size_t room = packed_size * 8;
	     decode && elf_file_afford(file, room); room *= 2) {
		uint64_t memory = XZ_MEMORY;
		size_t in_at = 0, out_at = 0;
		uint8_t *bytes = malloc(room);
		int status = bytes ? decode(&memory, 0, NULL, packed, &in_at,
					    packed_size, bytes, &out_at, room)
				   : -1;

		if (status == FINE) {
			*size = out_at;
			return bytes;
		}
		free(bytes);
		if (status != NO_ROOM)
			return NULL;
	}
	return NULL;
}

bool elf_file_open_inner(struct elf_file *file, struct elf_file *inner)
{
	const Elf64_Shdr *section = elf_file_section(file, ".gnu_debugdata");
	uint8_t *packed = elf_file_read_section(file, section);
	size_t size = 0;

	if (!packed)
		return false;
	*inner = (struct elf_file){ .fd = -1, .budget = file->budget };
	inner->memory = unpack(file, packed, section->sh_size, &size);
	inner->size = size;
	free(packed);
	if (inner->memory && read_headers(inner) == ELF_GOOD)
		return true;
	elf_file_close(inner);
	return false;
}
