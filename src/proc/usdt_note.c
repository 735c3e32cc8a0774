/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading .note.stapsdt.
 *
 * The section is not loaded, so it is found through the section headers.  Most
 * files have none, and finding that out must be cheap, because every file that
 * any process runs may be checked: three small reads.
 *
 * 1. The file is not trusted: everything is copied by pread(), every size is
 *    limited, every offset is checked, every name ends inside its note.  An
 *    invalid note is left out.
 * 2. A note has link-time addresses.  Tools may have moved the file since
 *    (prelink) without changing the notes: each note records the address of
 *    .stapsdt.base, and the difference to where that section is now is added.
 * 3. The kernel wants places in the file, not addresses.
 */
#include "proc/usdt_note.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/budget.h"

enum {
	NOTES_LIMIT = 64 << 20, NAMES_LIMIT = 1 << 20,
	NOTE_TYPE = 3, ADDRESSES = 3, NAME_MOST = 256,
	SEGMENTS_MOST = 256,	/* each note walks over all */
	GROWTH = 16,		/* a probe is larger than its note */
};

static const char owner[] = "stapsdt";

/* What of a file matters here. */
struct object {
	int fd;
	struct budget *budget;
	Elf64_Ehdr header;
	Elf64_Shdr *sections;
	char *names; /* of sections; ends in NUL */
	size_t names_size;
	Elf64_Phdr *segments;
};

static bool read_bytes(int fd, void *to, uint64_t offset, uint64_t size)
{
	for (uint64_t done = 0; done < size;) {
		ssize_t n = pread(fd, (char *)to + done, size - done,
				  (off_t)(offset + done));

		if (n <= 0)
			return false;
		done += (uint64_t)n;
	}
	return true;
}

/* A copy followed by a NUL, or NULL. */
static void *read_part(const struct object *object, uint64_t offset,
		       uint64_t size, uint64_t limit)
{
	if (!size || size > limit)
		return NULL;
	if (!budget_work(object->budget, size)) {
		budget_refuse(object->budget, object->fd);
		return NULL;
	}
	char *bytes = malloc(size + 1);

	if (!bytes || !read_bytes(object->fd, bytes, offset, size)) {
		free(bytes);
		return NULL;
	}
	bytes[size] = '\0';
	return bytes;
}

static bool read_header(struct object *object)
{
	Elf64_Ehdr *header = &object->header;

	return read_bytes(object->fd, header, 0, sizeof(*header)) &&
	       !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 &&
	       header->e_ident[EI_DATA] == ELFDATA2LSB &&
	       header->e_machine == ARCH_ELF_MACHINE &&
	       header->e_shentsize == sizeof(Elf64_Shdr) &&
	       header->e_shstrndx < header->e_shnum;
}

static bool read_section_names(struct object *object)
{
	const Elf64_Ehdr *header = &object->header;

	object->sections = read_part(object, header->e_shoff,
				     (uint64_t)header->e_shnum *
					     sizeof(Elf64_Shdr),
				     UINT32_MAX);
	if (!object->sections)
		return false;
	const Elf64_Shdr *names = &object->sections[header->e_shstrndx];

	object->names = read_part(object, names->sh_offset, names->sh_size,
				  NAMES_LIMIT);
	object->names_size = names->sh_size;
	return object->names;
}

static bool read_segments(struct object *object)
{
	const Elf64_Ehdr *header = &object->header;

	if (header->e_phentsize != sizeof(Elf64_Phdr) ||
	    header->e_phnum > SEGMENTS_MOST)
		return false;
	object->segments = read_part(object, header->e_phoff,
				     (uint64_t)header->e_phnum *
					     sizeof(Elf64_Phdr),
				     UINT32_MAX);
	return object->segments;
}

static const Elf64_Shdr *find_section(const struct object *object,
				      uint32_t type, const char *name)
{
	for (size_t i = 0; i < object->header.e_shnum; i++) {
		const Elf64_Shdr *section = &object->sections[i];

		if (section->sh_type == type &&
		    section->sh_name < object->names_size &&
		    !strcmp(object->names + section->sh_name, name))
			return section;
	}
	return NULL;
}

/* Where in the file an address is, in a segment with all of `flags`. */
static bool file_offset(const struct object *object, uint64_t address,
			uint32_t flags, uint64_t *offset)
{
	for (size_t i = 0; i < object->header.e_phnum; i++) {
		const Elf64_Phdr *segment = &object->segments[i];

		if (segment->p_type != PT_LOAD ||
		    (segment->p_flags & flags) != flags ||
		    address < segment->p_vaddr ||
		    address - segment->p_vaddr >= segment->p_filesz)
			continue;
		*offset = address - segment->p_vaddr + segment->p_offset;
		return true;
	}
	return false;
}

/* The string at *at, which is moved past it; NULL: it does not end. */
static const char *next_string(const char **at, const char *end)
{
	const char *string = *at;
	const char *nul = memchr(string, '\0', (size_t)(end - string));

	if (!nul)
		return NULL;
	*at = nul + 1;
	return string;
}

/*
 * Names are printed on terminals, of all processes and for root: what is no
 * visible ASCII is no name, nor is what could not be written in a probe's
 * description.
 */
static bool is_name(const char *name)
{
	size_t length = 0;

	for (; name[length]; length++)
		if (name[length] <= ' ' || name[length] > '~' ||
		    name[length] == ':')
			return false;
	return length && length < NAME_MOST;
}

/* base: the section of that name, or NULL. */
static bool take_note(const struct object *object, const Elf64_Shdr *base,
		      const char *at, size_t size, struct usdt_note *note)
{
	uint64_t addresses[ADDRESSES], shift = 0;
	const char *end = at + size;

	if (size < sizeof(addresses))
		return false;
	memcpy(addresses, at, sizeof(addresses));
	at += sizeof(addresses);
	*note = (struct usdt_note){ 0 };
	note->provider = next_string(&at, end);
	note->name = note->provider ? next_string(&at, end) : NULL;
	if (!note->name || !is_name(note->provider) || !is_name(note->name))
		return false;
	note->arguments = next_string(&at, end);
	if (!note->arguments)
		note->arguments = "";
	if (base && addresses[1])
		shift = base->sh_addr - addresses[1];
	note->address = addresses[0] + shift;
	if (!file_offset(object, note->address, PF_X, &note->offset))
		return false;
	return !addresses[2] || file_offset(object, addresses[2] + shift, PF_W,
					    &note->semaphore_offset);
}

static size_t padded(uint32_t size)
{
	return ((size_t)size + 3) & ~(size_t)3;
}

static void take_notes(struct usdt_notes *notes, const struct object *object,
		       size_t size)
{
	const Elf64_Shdr *base = find_section(object, SHT_PROGBITS,
					      ".stapsdt.base");
	const char *text = notes->text;
	size_t capacity = 0;

	while (size >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;

		memcpy(&note, text, sizeof(note));
		size_t name = padded(note.n_namesz);
		size_t desc = padded(note.n_descsz);

		text += sizeof(note);
		size -= sizeof(note);
		if (name > size || note.n_descsz > size - name)
			return;
		if (notes->count == capacity) {
			capacity = capacity ? capacity * 2 : 16;
			notes->notes = must_realloc(
				notes->notes,
				checked_mul(capacity, sizeof(*notes->notes)));
		}
		if (note.n_type == NOTE_TYPE &&
		    note.n_namesz == sizeof(owner) &&
		    !memcmp(text, owner, sizeof(owner)) &&
		    take_note(object, base, text + name, note.n_descsz,
			      &notes->notes[notes->count]))
			notes->count++;
		if (desc > size - name)
			return;
		text += name + desc;
		size -= name + desc;
	}
}

static struct usdt_notes *read_notes(struct object *object)
{
	const Elf64_Shdr *section = find_section(object, SHT_NOTE,
						 ".note.stapsdt");
	struct usdt_notes *notes;

	if (!section || !read_segments(object))
		return NULL;
	if (section->sh_size > NOTES_LIMIT ||
	    !budget_hold(object->budget, GROWTH * section->sh_size)) {
		budget_refuse(object->budget, object->fd);
		return NULL;
	}
	notes = must_alloc(sizeof(*notes));
	*notes = (struct usdt_notes){
		.text = read_part(object, section->sh_offset, section->sh_size,
				  NOTES_LIMIT),
		.budget = object->budget,
		.held = GROWTH * section->sh_size,
	};
	if (notes->text)
		take_notes(notes, object, section->sh_size);
	if (notes->count)
		return notes;
	usdt_notes_free(notes);
	return NULL;
}

struct usdt_notes *usdt_notes_read(int fd, struct budget *budget)
{
	struct object object = { .fd = fd, .budget = budget };
	struct usdt_notes *notes = NULL;

	if (read_header(&object) && read_section_names(&object))
		notes = read_notes(&object);
	free(object.sections);
	free(object.names);
	free(object.segments);
	return notes;
}

void usdt_notes_free(struct usdt_notes *notes)
{
	if (!notes)
		return;
	budget_release(notes->budget, notes->held);
	free(notes->notes);
	free(notes->text);
	free(notes);
}
