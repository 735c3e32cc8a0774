/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * An ELF file of this machine (64 bits, little-endian) from an untrusted
 * source: headers, sections by name, and the files that belong to it.
 *
 * Everything is copied by pread(), never mapped, so that a file that shrinks
 * cannot kill us, and every offset is checked against the file's size.  Bytes
 * read are counted (base/budget.h); holes of a file are not read and cost
 * nothing.
 */

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget;

struct elf_file {
	int fd; /* -1: in memory */
	bool owns_fd;
	uint8_t *memory; /* owned, if fd is -1 */
	uint64_t size;
	struct budget *budget; /* or NULL */
	uint64_t held;	       /* of the budget, until it is closed */
	Elf64_Ehdr header;
	Elf64_Shdr *sections;
	size_t nsections;
	Elf64_Phdr *segments;
	size_t nsegments;
	char *names; /* of sections; ends in NUL */
	size_t names_size;
};

enum elf_problem {
	ELF_GOOD, ELF_UNREADABLE, ELF_NOT_ELF, ELF_OTHER_MACHINE,
};

/* The descriptor stays the caller's, and must stay open. */
enum elf_problem elf_file_open(struct elf_file *file, int fd,
			       struct budget *budget);
/* A copy is made. */
enum elf_problem elf_file_open_memory(struct elf_file *file, const void *memory,
				      size_t size);
void elf_file_close(struct elf_file *file);
/* A copy of some bytes, followed by a NUL (free() it), or NULL. */
void *elf_file_read(struct elf_file *file, uint64_t offset, uint64_t size);
/* May that many bytes be unpacked from it?  They count until it is closed. */
bool elf_file_afford(struct elf_file *file, uint64_t size);
const Elf64_Shdr *elf_file_section(const struct elf_file *file,
				   const char *name);
void *elf_file_read_section(struct elf_file *file, const Elf64_Shdr *section);
/* Bytes from `offset` on, at most `size`, before the first hole of the file. */
uint64_t elf_file_dense(const struct elf_file *file, uint64_t offset,
			uint64_t size);
/*
 * The first table of symbols of a type (SHT_SYMTAB, SHT_DYNSYM); free() its
 * contents.  Names are the usual ones: without versions ("write@@GLIBC_2.2.5").
 */
struct elf_table {
	Elf64_Sym *symbols;
	size_t count;
	Elf64_Half *versions; /* of each symbol, or NULL */
	char *names;	      /* ends in NUL */
	size_t names_size;
	struct elf_file *file; /* or NULL: not counted */
};
bool elf_file_read_table(struct elf_file *file, uint32_t type,
			 struct elf_table *table);
/*
 * A symbol's name; NULL: it has none, or it is not in the table, or names have
 * cost enough.
 */
const char *elf_table_name(struct elf_table *table, const Elf64_Sym *symbol);
/* is_old: only programs linked long ago can call it by that name (cfree). */
const char *elf_table_name_and_age(struct elf_table *table,
				   const Elf64_Sym *symbol, bool *is_old);
void elf_table_free(struct elf_table *table);
/* Where an address, as linked, is in the file. */
bool elf_file_offset(const struct elf_file *file, uint64_t address,
		     uint64_t *offset);
bool elf_file_is_code(const struct elf_file *file, uint64_t address);
/*
 * Where functions and pieces of functions start, ascending, from the index of
 * .eh_frame, which stripped files have, too; free() it.  NULL if there is none.
 */
struct elf_start {
	uint64_t address;
	uint64_t description; /* address of what describes it */
};
struct elf_start *elf_file_code_starts(struct elf_file *file, size_t *count);
/*
 * Is there a frame from the first instruction on?  Then it is a piece of a
 * function: functions are called, and have none yet.
 */
bool elf_file_starts_with_frame(struct elf_file *file,
				const struct elf_start *start);
/*
 * Bytes of a function or piece: at most up to the next start, which there must
 * be.  Between the two may be code that nothing describes.
 */
uint64_t elf_file_piece_size(struct elf_file *file,
			     const struct elf_start *start);
/*
 * The file with its debugging information, by build id or by its link, below
 * `root` ("" or /proc/PID/root) or, if it is not there, below our own: a path
 * that the kernel shows us may be of either.  `path` says where the file
 * itself is, which the link needs (NULL: by build id only).  It belongs to root
 * or to the owner of the file, whatever user runs that: its names are shown for
 * every process that has the file.
 */
bool elf_file_open_debug(struct elf_file *file, const char *root,
			 const char *path, struct elf_file *debug);
/* Where that would be by its build id, below `root`; false: it has none. */
bool elf_file_debug_path(struct elf_file *file, const char *root, char *path,
			 size_t size);
/* The small file with symbols that is embedded in it (.gnu_debugdata). */
bool elf_file_open_inner(struct elf_file *file, struct elf_file *inner);
