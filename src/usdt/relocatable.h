/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside usdt/: a relocatable object in memory, read or made, to which
 * sections and global symbols can be added.  Sections and symbols keep their
 * numbers; where they are in the file is decided when it is written.
 */

#include <elf.h>

#include "base/arena.h"
#include "usdt/usdt.h"

struct section {
	Elf64_Shdr header; /* sh_size is that of data */
	uint8_t *data;	   /* NULL: SHT_NOBITS */
};

struct relocatable {
	struct arena *arena;
	Elf64_Ehdr header;
	bool is_32; /* for writing; such a file cannot be read */
	struct section *sections;
	uint32_t nsections;
	uint32_t symbols; /* number of .symtab, 0: none */
	uint32_t names;	  /* .shstrtab */
};

enum object_kind {
	OBJECT_RELOCATABLE,	/* 64 bits, little endian: it was read */
	OBJECT_OTHER_ELF,	/* another machine's, or no relocatable */
	OBJECT_UNKNOWN,		/* bitcode, an archive, libtool's ... */
};

/* 0 or a negative errno. */
int relocatable_read(const char *path, struct arena *arena,
		     struct relocatable *object, enum object_kind *kind,
		     struct usdt_machine *machine);
void relocatable_new(struct arena *arena, struct usdt_machine machine,
		     struct relocatable *object);
void relocatable_put(struct relocatable *object, struct text *out);

const char *relocatable_section_name(const struct relocatable *object,
				     uint32_t section);
/* "" when the table is damaged. */
const char *relocatable_symbol_name(const struct relocatable *object,
				    const Elf64_Sym *symbol);
uint32_t relocatable_nsymbols(const struct relocatable *object);
Elf64_Sym *relocatable_symbol(const struct relocatable *object,
			      uint32_t number);

/* Bytes are copied. */
uint32_t relocatable_add_section(struct relocatable *object, const char *name,
				 const Elf64_Shdr *header, const void *bytes,
				 size_t size);
void relocatable_append(struct relocatable *object, uint32_t section,
			const void *bytes, size_t size);
/* A global symbol; returns the existing one of that name if there is one. */
uint32_t relocatable_add_symbol(struct relocatable *object, const char *name,
				const Elf64_Sym *symbol);
/* One more relocation in section `relas`. */
void relocatable_add_rela(struct relocatable *object, uint32_t relas,
			  uint64_t offset, uint32_t symbol, uint32_t type,
			  int64_t addend);
