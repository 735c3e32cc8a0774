/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A relocatable object in memory.
 *
 * Only what -G needs: every section's bytes, names, symbols.  A file that was
 * read is written with its sections in the same order and with the same
 * numbers, so that nothing that refers to them must change; new ones follow.
 * New symbols are global, since local ones would have to come first.
 *
 * Files come from compilers, but a user may name any file: every offset is
 * checked before it is used, and a damaged file is an error, not a crash.
 */
#include "usdt/relocatable.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"

enum { LARGEST_OBJECT = 1 << 30, LARGEST_ALIGNMENT = 1 << 21 };

struct usdt_machine usdt_native_machine(void)
{
	return (struct usdt_machine){ ARCH_ELF_MACHINE, false };
}

/* ---------------------------------------------------------------- reading */

static int read_file(const char *path, struct arena *arena, uint8_t **bytes,
		     size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	int error = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status))
		error = -errno;
	else if (S_ISDIR(status.st_mode))
		error = -EISDIR;
	else if (status.st_size > LARGEST_OBJECT)
		error = -EFBIG;
	if (error) {
		close(fd);
		return error;
	}
	*size = 0;
	*bytes = arena_alloc(arena, (size_t)status.st_size + 1);
	while (*size < (size_t)status.st_size) {
		ssize_t n = read(fd, *bytes + *size,
				 (size_t)status.st_size - *size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		*size += (size_t)n;
	}
	close(fd);
	return 0;
}

static bool is_within(size_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

/* Which file is this?  Both classes have machine and type in one place. */
static enum object_kind identify(const uint8_t *bytes, size_t size,
				 struct usdt_machine *machine)
{
	const Elf32_Ehdr *head = (const void *)bytes;

	*machine = (struct usdt_machine){ 0 };
	if (size < sizeof(*head) || memcmp(bytes, ELFMAG, SELFMAG))
		return OBJECT_UNKNOWN;
	if (bytes[EI_DATA] != ELFDATA2LSB)
		return OBJECT_OTHER_ELF;
	machine->machine = head->e_machine;
	machine->is_32 = bytes[EI_CLASS] == ELFCLASS32;
	return machine->is_32 || head->e_type != ET_REL ? OBJECT_OTHER_ELF
							: OBJECT_RELOCATABLE;
}

static int read_sections(const uint8_t *bytes, size_t size,
			 struct relocatable *object)
{
	const Elf64_Ehdr *head = &object->header;
	Elf64_Shdr first;

	if (head->e_shentsize != sizeof(Elf64_Shdr) ||
	    !is_within(size, head->e_shoff, sizeof(first)))
		return -ENOEXEC;
	memcpy(&first, bytes + head->e_shoff, sizeof(first));
	uint64_t count = head->e_shnum ? head->e_shnum : first.sh_size;

	object->names = head->e_shstrndx == SHN_XINDEX ? first.sh_link
						       : head->e_shstrndx;
	if (count > size / sizeof(Elf64_Shdr) || object->names >= count ||
	    !is_within(size, head->e_shoff, count * sizeof(Elf64_Shdr)))
		return -ENOEXEC;
	object->nsections = (uint32_t)count;
	object->sections = arena_array_of(object->arena, struct section, count);
	for (uint32_t i = 0; i < count; i++) {
		struct section *section = &object->sections[i];
		Elf64_Shdr *header = &section->header;

		memcpy(header, bytes + head->e_shoff + i * sizeof(*header),
		       sizeof(*header));
		if (header->sh_addralign > LARGEST_ALIGNMENT)
			return -ENOEXEC;
		if (header->sh_type == SHT_NOBITS ||
		    header->sh_type == SHT_NULL)
			continue;
		if (!is_within(size, header->sh_offset, header->sh_size))
			return -ENOEXEC;
		section->data = arena_copy(object->arena,
					   bytes + header->sh_offset,
					   header->sh_size);
		if (header->sh_type == SHT_SYMTAB && !object->symbols)
			object->symbols = i;
	}
	if (object->symbols &&
	    object->sections[object->symbols].header.sh_link >= count)
		return -ENOEXEC;
	return 0;
}

int relocatable_read(const char *path, struct arena *arena,
		     struct relocatable *object, enum object_kind *kind,
		     struct usdt_machine *machine)
{
	uint8_t *bytes = NULL;
	size_t size = 0;
	int error = read_file(path, arena, &bytes, &size);

	if (error)
		return error;
	*object = (struct relocatable){ .arena = arena };
	*kind = identify(bytes, size, machine);
	if (*kind != OBJECT_RELOCATABLE)
		return 0;
	if (size < sizeof(object->header))
		return -ENOEXEC;
	memcpy(&object->header, bytes, sizeof(object->header));
	return read_sections(bytes, size, object);
}

/* ------------------------------------------------------------------ names */

/* A string of a table; "" if it does not end inside it. */
static const char *string_at(const struct section *table, uint64_t offset)
{
	const char *text = (const char *)table->data;
	uint64_t size = table->header.sh_size;

	if (!text || offset >= size ||
	    !memchr(text + offset, '\0', size - offset))
		return "";
	return text + offset;
}

const char *relocatable_section_name(const struct relocatable *object,
				     uint32_t section)
{
	return string_at(&object->sections[object->names],
			 object->sections[section].header.sh_name);
}

const char *relocatable_symbol_name(const struct relocatable *object,
				    const Elf64_Sym *symbol)
{
	uint32_t link = object->sections[object->symbols].header.sh_link;

	return string_at(&object->sections[link], symbol->st_name);
}

uint32_t relocatable_nsymbols(const struct relocatable *object)
{
	if (!object->symbols)
		return 0;
	uint64_t size = object->sections[object->symbols].header.sh_size;

	return (uint32_t)(size / sizeof(Elf64_Sym));
}

Elf64_Sym *relocatable_symbol(const struct relocatable *object, uint32_t number)
{
	Elf64_Sym *table = (void *)object->sections[object->symbols].data;

	return number < relocatable_nsymbols(object) ? &table[number] : NULL;
}

/* ----------------------------------------------------------------- adding */

void relocatable_append(struct relocatable *object, uint32_t number,
			const void *bytes, size_t size)
{
	struct section *section = &object->sections[number];
	size_t old = section->header.sh_size;
	uint8_t *data = arena_alloc(object->arena,
				    checked_add(checked_add(old, size), 1));

	if (old)
		memcpy(data, section->data, old);
	if (size)
		memcpy(data + old, bytes, size);
	section->data = data;
	section->header.sh_size = old + size;
}

static uint32_t add_string(struct relocatable *object, uint32_t table,
			   const char *text)
{
	uint64_t offset = object->sections[table].header.sh_size;

	relocatable_append(object, table, text, strlen(text) + 1);
	return (uint32_t)offset;
}

uint32_t relocatable_add_section(struct relocatable *object, const char *name,
				 const Elf64_Shdr *header, const void *bytes,
				 size_t size)
{
	uint32_t number = object->nsections++;
	struct section *sections = arena_array_of(object->arena, struct section,
						  object->nsections);

	if (number)
		memcpy(sections, object->sections, number * sizeof(*sections));
	object->sections = sections;
	sections[number] = (struct section){ .header = *header };
	sections[number].header.sh_size = 0;
	relocatable_append(object, number, bytes, size);
	if (name)
		sections[number].header.sh_name =
			add_string(object, object->names, name);
	return number;
}

uint32_t relocatable_add_symbol(struct relocatable *object, const char *name,
				const Elf64_Sym *symbol)
{
	uint32_t count = relocatable_nsymbols(object);
	uint32_t link = object->sections[object->symbols].header.sh_link;
	Elf64_Sym copy = *symbol;

	for (uint32_t i = object->sections[object->symbols].header.sh_info;
	     i < count; i++) {
		if (!strcmp(relocatable_symbol_name(
				    object, relocatable_symbol(object, i)),
			    name))
			return i;
	}
	copy.st_name = add_string(object, link, name);
	relocatable_append(object, object->symbols, &copy, sizeof(copy));
	return count;
}

void relocatable_add_rela(struct relocatable *object, uint32_t relas,
			  uint64_t offset, uint32_t symbol, uint32_t type,
			  int64_t addend)
{
	Elf64_Rela rela = {
		.r_offset = offset,
		.r_info = ELF64_R_INFO((uint64_t)symbol, type),
		.r_addend = addend,
	};

	relocatable_append(object, relas, &rela, sizeof(rela));
}

void relocatable_new(struct arena *arena, struct usdt_machine machine,
		     struct relocatable *object)
{
	static const Elf64_Shdr none = { .sh_type = SHT_NULL };
	static const Elf64_Shdr strings = {
		.sh_type = SHT_STRTAB, .sh_addralign = 1,
	};
	static const Elf64_Sym no_symbol;

	*object = (struct relocatable){
		.arena = arena,
		.is_32 = machine.is_32,
		.header = {
			.e_type = ET_REL, .e_machine = machine.machine,
			.e_version = EV_CURRENT,
		},
	};
	memcpy(object->header.e_ident, ELFMAG, SELFMAG);
	object->header.e_ident[EI_CLASS] = machine.is_32 ? ELFCLASS32
							 : ELFCLASS64;
	object->header.e_ident[EI_DATA] = ELFDATA2LSB;
	object->header.e_ident[EI_VERSION] = EV_CURRENT;

	relocatable_add_section(object, NULL, &none, NULL, 0);
	object->names = relocatable_add_section(object, NULL, &strings, "", 1);
	object->sections[object->names].header.sh_name =
		add_string(object, object->names, ".shstrtab");

	uint32_t names = relocatable_add_section(object, ".strtab", &strings,
						 "", 1);
	const Elf64_Shdr symbols = {
		.sh_type = SHT_SYMTAB, .sh_addralign = 8, .sh_link = names,
		.sh_info = 1, .sh_entsize = sizeof(Elf64_Sym),
	};

	object->symbols = relocatable_add_section(object, ".symtab", &symbols,
						  &no_symbol,
						  sizeof(no_symbol));
}

/* ---------------------------------------------------------------- writing */

static void pad(struct text *out, uint64_t alignment)
{
	while (alignment > 1 && out->n % alignment)
		text_putc(out, '\0');
}

static void put_bytes(struct text *out, const void *bytes, size_t size)
{
	if (size)
		text_add(out, bytes, size);
}

/* The symbols of a 32-bit object; there are no relocations in those. */
static void narrow_symbols(struct relocatable *object)
{
	struct section *section = &object->sections[object->symbols];
	uint32_t count = relocatable_nsymbols(object);
	Elf32_Sym *narrow = arena_array_of(object->arena, Elf32_Sym, count);

	for (uint32_t i = 0; i < count; i++) {
		const Elf64_Sym *wide = relocatable_symbol(object, i);

		narrow[i] = (Elf32_Sym){
			.st_name = wide->st_name,
			.st_info = wide->st_info,
			.st_other = wide->st_other,
			.st_shndx = wide->st_shndx,
			.st_value = (Elf32_Addr)wide->st_value,
			.st_size = (Elf32_Word)wide->st_size,
		};
	}
	section->data = (uint8_t *)narrow;
	section->header.sh_size = count * sizeof(*narrow);
	section->header.sh_entsize = sizeof(*narrow);
	section->header.sh_addralign = 4;
}

static void put_section_header(struct text *out, const Elf64_Shdr *wide,
			       bool is_32)
{
	if (!is_32) {
		put_bytes(out, wide, sizeof(*wide));
		return;
	}
	Elf32_Shdr narrow = {
		.sh_name = wide->sh_name, .sh_type = wide->sh_type,
		.sh_flags = (Elf32_Word)wide->sh_flags,
		.sh_offset = (Elf32_Off)wide->sh_offset,
		.sh_size = (Elf32_Word)wide->sh_size,
		.sh_link = wide->sh_link, .sh_info = wide->sh_info,
		.sh_addralign = (Elf32_Word)wide->sh_addralign,
		.sh_entsize = (Elf32_Word)wide->sh_entsize,
	};

	put_bytes(out, &narrow, sizeof(narrow));
}

static void set_header(struct relocatable *object, uint64_t headers,
		       struct text *out)
{
	Elf64_Ehdr *wide = &object->header;
	bool is_large = object->nsections >= SHN_LORESERVE;

	wide->e_shoff = headers;
	wide->e_ehsize = sizeof(*wide);
	wide->e_shentsize = sizeof(Elf64_Shdr);
	wide->e_shnum = is_large ? 0 : (Elf64_Half)object->nsections;
	if (object->names < SHN_LORESERVE)
		wide->e_shstrndx = (Elf64_Half)object->names;
	if (!object->is_32) {
		memcpy(out->p, wide, sizeof(*wide));
		return;
	}
	Elf32_Ehdr narrow = {
		.e_type = wide->e_type, .e_machine = wide->e_machine,
		.e_version = wide->e_version, .e_shoff = (Elf32_Off)headers,
		.e_ehsize = sizeof(narrow), .e_shentsize = sizeof(Elf32_Shdr),
		.e_shnum = wide->e_shnum, .e_shstrndx = wide->e_shstrndx,
	};

	memcpy(narrow.e_ident, wide->e_ident, sizeof(narrow.e_ident));
	memcpy(out->p, &narrow, sizeof(narrow));
}

void relocatable_put(struct relocatable *object, struct text *out)
{
	static const char nothing[sizeof(Elf64_Ehdr)];

	if (object->is_32)
		narrow_symbols(object);
	if (object->nsections >= SHN_LORESERVE)
		object->sections[0].header.sh_size = object->nsections;
	put_bytes(out, nothing,
		  object->is_32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr));
	for (uint32_t i = 1; i < object->nsections; i++) {
		struct section *section = &object->sections[i];

		pad(out, section->header.sh_addralign);
		section->header.sh_offset = out->n;
		if (section->data)
			put_bytes(out, section->data, section->header.sh_size);
	}
	pad(out, 8);
	uint64_t headers = out->n;

	for (uint32_t i = 0; i < object->nsections; i++)
		put_section_header(out, &object->sections[i].header,
				   object->is_32);
	set_header(object, headers, out);
}
