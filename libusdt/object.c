/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the file of a provider.
 *
 * What tracers read of it: dtrace and bpftrace take sections and notes, perf also
 * wants a build id, and unwinders the rules in .eh_frame, without which a stack
 * would lose the function that fired.  A section's offset in the file is its
 * address, so those who mix them up are right.
 *
 * 1. Bytes are appended in one pass.  What is known later (the address of the
 *    semaphores, sizes) is filled in afterwards: every place is an offset, because
 *    the buffer moves as it grows.
 * 2. No memory is remembered in the buffer, and reported at the end.
 * 3. The build id is made of all other bytes: two providers with the same probes
 *    have the same, and that is right.
 */
#include "object.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"

/* ------------------------------------------------------------------ bytes */

struct bytes {
	uint8_t *p;
	size_t n, capacity;
	bool has_failed;
};

static size_t add(struct bytes *bytes, const void *from, size_t size)
{
	size_t at = bytes->n;

	if (bytes->has_failed)
		return 0;
	if (at + size > bytes->capacity) {
		size_t capacity = 2 * (at + size) + 4096;
		uint8_t *p = realloc(bytes->p, capacity);

		if (!p) {
			bytes->has_failed = true;
			return 0;
		}
		bytes->p = p;
		bytes->capacity = capacity;
	}
	if (from)
		memcpy(bytes->p + at, from, size);
	else
		memset(bytes->p + at, 0, size);
	bytes->n += size;
	return at;
}

static size_t add_text(struct bytes *bytes, const char *text)
{
	return add(bytes, text, strlen(text) + 1);
}

static size_t align(struct bytes *bytes, size_t to)
{
	add(bytes, NULL, (to - bytes->n % to) % to);
	return bytes->n;
}

static void put(struct bytes *bytes, size_t at, const void *from, size_t size)
{
	if (!bytes->has_failed)
		memcpy(bytes->p + at, from, size);
}

static void put32(struct bytes *bytes, size_t at, uint64_t value)
{
	uint32_t word = (uint32_t)value;

	put(bytes, at, &word, sizeof(word));
}

/* --------------------------------------------------------------- arguments */

/* Log2 of the bytes of a type, and whether it is signed. */
struct shape {
	const char *type;
	unsigned log;
	bool is_signed;
};

static const struct shape shapes[] = {
	{ "char", 0, true },
	{ "signed char", 0, true },
	{ "unsigned char", 0, false },
	{ "bool", 0, false },
	{ "_Bool", 0, false },
	{ "int8", 0, true },
	{ "int8_t", 0, true },
	{ "uint8", 0, false },
	{ "uint8_t", 0, false },
	{ "short", 1, true },
	{ "short int", 1, true },
	{ "unsigned short", 1, false },
	{ "unsigned short int", 1, false },
	{ "int16", 1, true },
	{ "int16_t", 1, true },
	{ "uint16", 1, false },
	{ "uint16_t", 1, false },
	{ "int", 2, true },
	{ "signed", 2, true },
	{ "signed int", 2, true },
	{ "unsigned", 2, false },
	{ "unsigned int", 2, false },
	{ "uint", 2, false },
	{ "uint_t", 2, false },
	{ "int32", 2, true },
	{ "int32_t", 2, true },
	{ "uint32", 2, false },
	{ "uint32_t", 2, false },
	{ "pid_t", 2, true },
	{ "uid_t", 2, false },
	{ "gid_t", 2, false },
	{ "long", 3, true },
	{ "long int", 3, true },
	{ "signed long", 3, true },
	{ "long long", 3, true },
	{ "long long int", 3, true },
	{ "signed long long", 3, true },
	{ "int64", 3, true },
	{ "int64_t", 3, true },
	{ "off_t", 3, true },
	{ "ptrdiff_t", 3, true },
	{ "ssize_t", 3, true },
	{ "time_t", 3, true },
	{ "intptr_t", 3, true },
};

static struct shape shape_of(const char *type)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		if (!strcmp(shapes[i].type, type))
			return shapes[i];
	return (struct shape){ type, 3, false };
}

/* "-4@%edi 8@%rsi" */
static void add_arguments(struct bytes *notes, const usdt_probedef_t *probe)
{
	for (uint32_t i = 0; i < probe->argc; i++) {
		struct shape shape = shape_of(probe->types[i]);
		char text[64];
		int n = snprintf(text, sizeof(text), "%s%s%u@", i ? " " : "",
				 shape.is_signed ? "-" : "", 1u << shape.log);

		if (i < MACHINE_REGISTER_ARGS)
			n += snprintf(text + n, sizeof(text) - (size_t)n, "%s",
				      machine_registers[i][shape.log]);
		else
			n += snprintf(text + n, sizeof(text) - (size_t)n,
				      MACHINE_STACK_OPERAND,
				      MACHINE_STACK_FIRST +
					      8 * ((int)i -
						   MACHINE_REGISTER_ARGS));
		add(notes, text, (size_t)n);
	}
	add(notes, "", 1);
}

/* A dash is two underscores: in names of other tracers it would be a minus. */
static void add_name(struct bytes *notes, const char *name)
{
	for (; *name; name++) {
		bool is_dash = *name == '-';

		add(notes, is_dash ? "__" : name, is_dash ? 2 : 1);
	}
	add(notes, "", 1);
}

/* ------------------------------------------------------------------ parts */

enum {
	SECTION_NONE,
	SECTION_BUILD_ID,
	SECTION_EH_HEADER,
	SECTION_EH_FRAME,
	SECTION_TEXT,
	SECTION_BASE,
	SECTION_PROBES,
	SECTION_NOTES,
	SECTION_SYMBOLS,
	SECTION_STRINGS,
	SECTION_NAMES,
	NSECTIONS,
};

enum {
	SEGMENT_CODE,
	SEGMENT_DATA,
	SEGMENT_BUILD_ID,
	SEGMENT_EH_HEADER,
	SEGMENT_STACK,
	NSEGMENTS,
};

static const struct {
	const char *name;
	uint32_t type;
	uint64_t flags;
	uint64_t alignment;
} sections[NSECTIONS] = {
	[SECTION_NONE] = { "", SHT_NULL, 0, 0 },
	[SECTION_BUILD_ID] = { ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4 },
	[SECTION_EH_HEADER] = { ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, 4 },
	[SECTION_EH_FRAME] = { ".eh_frame", SHT_PROGBITS, SHF_ALLOC, 8 },
	[SECTION_TEXT] = { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
			   16 },
	[SECTION_BASE] = { ".stapsdt.base", SHT_PROGBITS, SHF_ALLOC, 1 },
	[SECTION_PROBES] = { ".probes", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
			     2 },
	[SECTION_NOTES] = { ".note.stapsdt", SHT_NOTE, 0, 4 },
	[SECTION_SYMBOLS] = { ".symtab", SHT_SYMTAB, 0, 8 },
	[SECTION_STRINGS] = { ".strtab", SHT_STRTAB, 0, 1 },
	[SECTION_NAMES] = { ".shstrtab", SHT_STRTAB, 0, 1 },
};

/* An object in the making. */
struct making {
	struct bytes bytes;
	const usdt_provider_t *provider;
	uint32_t nprobes;
	size_t start[NSECTIONS], size[NSECTIONS];
};

static void begin(struct making *making, int section)
{
	uint64_t alignment = sections[section].alignment;

	making->start[section] = align(&making->bytes, alignment);
}

static void end(struct making *making, int section)
{
	making->size[section] = making->bytes.n - making->start[section];
}

static size_t site_of(const struct making *making, uint32_t n)
{
	return making->start[SECTION_TEXT] + n * OBJECT_SITE;
}

enum { BUILD_ID = 20 };

static void add_build_id(struct making *making)
{
	static const uint32_t head[] = { 4, BUILD_ID, NT_GNU_BUILD_ID };

	begin(making, SECTION_BUILD_ID);
	add(&making->bytes, head, sizeof(head));
	add(&making->bytes, "GNU", 4);
	add(&making->bytes, NULL, BUILD_ID);
	end(making, SECTION_BUILD_ID);
}

/* FNV-1a, several times over with other beginnings. */
static void fill_build_id(struct making *making)
{
	struct bytes *bytes = &making->bytes;
	size_t at = making->start[SECTION_BUILD_ID] + 16;

	for (uint32_t part = 0; part < BUILD_ID / 4; part++) {
		uint64_t hash = 0xcbf29ce484222325 + part;

		for (size_t i = 0; !bytes->has_failed && i < bytes->n; i++)
			hash = (hash ^ bytes->p[i]) * 0x100000001b3;
		put32(bytes, at + 4 * (size_t)part, hash ^ hash >> 32);
	}
}

/*
 * One rule for all sites: the return address is at the top of the stack.  The
 * numbers are DWARF's; addresses are relative to where they stand, and are
 * filled in when the code is there.
 */
static void add_unwinding(struct making *making)
{
	static const uint8_t common[] = {
		20, 0, 0, 0,			/* length */
		0, 0, 0, 0,			/* a common entry */
		1, 'z', 'R', 0,
		1, 0x78, MACHINE_RETURN_COLUMN, /* units of 1 and -8 */
		1, 0x1b,			/* relative, 4 bytes, signed */
		0x0c, MACHINE_STACK_COLUMN, 8,	/* the frame is stack + 8 */
		0x80 | MACHINE_RETURN_COLUMN, 1,/* the address just below */
		0, 0,
	};
	static const uint8_t header[] = { 1, 0x1b, 0x03, 0x3b };

	begin(making, SECTION_EH_HEADER);
	add(&making->bytes, header, sizeof(header));
	add(&making->bytes, NULL, 16);
	end(making, SECTION_EH_HEADER);
	begin(making, SECTION_EH_FRAME);
	add(&making->bytes, common, sizeof(common));
	add(&making->bytes, NULL, 20 + 4); /* an entry and the end */
	end(making, SECTION_EH_FRAME);
}

static void fill_unwinding(struct making *making)
{
	struct bytes *bytes = &making->bytes;
	size_t header = making->start[SECTION_EH_HEADER];
	size_t frame = making->start[SECTION_EH_FRAME], entry = frame + 24;
	size_t text = making->start[SECTION_TEXT];

	put32(bytes, entry, 16);
	put32(bytes, entry + 4, entry + 4 - frame);
	put32(bytes, entry + 8, text - (entry + 8));
	put32(bytes, entry + 12, making->size[SECTION_TEXT]);
	put32(bytes, header + 4, frame - (header + 4));
	put32(bytes, header + 8, 1);
	put32(bytes, header + 12, text - header);
	put32(bytes, header + 16, entry - header);
}

static void add_code(struct making *making)
{
	begin(making, SECTION_TEXT);
	for (uint32_t i = 0; i < making->nprobes; i++)
		add(&making->bytes, machine_site, sizeof(machine_site));
	end(making, SECTION_TEXT);
	begin(making, SECTION_BASE);
	add(&making->bytes, NULL, 1);
	end(making, SECTION_BASE);
}

static void add_semaphores(struct making *making)
{
	align(&making->bytes, (size_t)sysconf(_SC_PAGESIZE));
	begin(making, SECTION_PROBES);
	add(&making->bytes, NULL, making->nprobes * OBJECT_SEMAPHORE);
	end(making, SECTION_PROBES);
}

static void add_note(struct making *making, const usdt_probedef_t *probe,
		     uint32_t n)
{
	struct bytes *bytes = &making->bytes;
	uint32_t head[] = { 8, 0, 3 };
	uint64_t places[] = {
		site_of(making, n) + MACHINE_SITE_NOP,
		making->start[SECTION_BASE],
		making->start[SECTION_PROBES] + (size_t)n * OBJECT_SEMAPHORE,
	};
	size_t at = add(bytes, head, sizeof(head));

	add(bytes, "stapsdt", 8);
	size_t body = add(bytes, places, sizeof(places));

	add_text(bytes, making->provider->name);
	add_name(bytes, probe->name);
	add_arguments(bytes, probe);
	put32(bytes, at + 4, bytes->n - body);
	align(bytes, 4);
}

static void add_notes(struct making *making)
{
	uint32_t n = 0;

	begin(making, SECTION_NOTES);
	for (const usdt_probedef_t *probe = making->provider->probedefs; probe;
	     probe = probe->next)
		add_note(making, probe, n++);
	end(making, SECTION_NOTES);
}

static void add_symbols(struct making *making)
{
	struct bytes *bytes = &making->bytes;
	uint32_t name = 1, n = 0;

	begin(making, SECTION_SYMBOLS);
	add(bytes, NULL, sizeof(Elf64_Sym));
	for (const usdt_probedef_t *probe = making->provider->probedefs; probe;
	     probe = probe->next) {
		Elf64_Sym symbol = {
			.st_name = name,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = SECTION_TEXT,
			.st_value = site_of(making, n++),
			.st_size = OBJECT_SITE,
		};

		add(bytes, &symbol, sizeof(symbol));
		name += (uint32_t)strlen(probe->function) + 1;
	}
	end(making, SECTION_SYMBOLS);
	begin(making, SECTION_STRINGS);
	add(bytes, "", 1);
	for (const usdt_probedef_t *probe = making->provider->probedefs; probe;
	     probe = probe->next)
		add_text(bytes, probe->function);
	end(making, SECTION_STRINGS);
}

/* ---------------------------------------------------------------- headers */

static size_t add_sections(struct making *making)
{
	Elf64_Shdr headers[NSECTIONS] = { { 0 } };

	begin(making, SECTION_NAMES);
	for (int i = 0; i < NSECTIONS; i++) {
		bool is_mapped = sections[i].flags & SHF_ALLOC;
		size_t name = add_text(&making->bytes, sections[i].name);

		headers[i] = (Elf64_Shdr){
			.sh_name = (uint32_t)(name -
					      making->start[SECTION_NAMES]),
			.sh_type = sections[i].type,
			.sh_flags = sections[i].flags,
			.sh_addr = is_mapped ? making->start[i] : 0,
			.sh_offset = making->start[i],
			.sh_size = making->size[i],
			.sh_addralign = sections[i].alignment,
		};
	}
	end(making, SECTION_NAMES);
	headers[SECTION_NAMES].sh_size = making->size[SECTION_NAMES];
	headers[SECTION_SYMBOLS].sh_link = SECTION_STRINGS;
	headers[SECTION_SYMBOLS].sh_info = 1;
	headers[SECTION_SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
	align(&making->bytes, 8);
	return add(&making->bytes, headers, sizeof(headers));
}

static Elf64_Phdr segment(const struct making *making, uint32_t type,
			  uint32_t flags, int section)
{
	size_t start = making->start[section], size = making->size[section];

	return (Elf64_Phdr){
		.p_type = type,
		.p_flags = flags,
		.p_offset = start,
		.p_vaddr = start,
		.p_paddr = start,
		.p_filesz = size,
		.p_memsz = size,
		.p_align = sections[section].alignment,
	};
}

static void fill_headers(struct making *making, size_t table)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = MACHINE_ELF,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(header),
		.e_shoff = table,
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = NSEGMENTS,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NSECTIONS,
		.e_shstrndx = SECTION_NAMES,
	};
	Elf64_Phdr segments[NSEGMENTS] = {
		[SEGMENT_CODE] = segment(making, PT_LOAD, PF_R | PF_X,
					 SECTION_NONE),
		[SEGMENT_DATA] = segment(making, PT_LOAD, PF_R | PF_W,
					 SECTION_PROBES),
		[SEGMENT_BUILD_ID] = segment(making, PT_NOTE, PF_R,
					     SECTION_BUILD_ID),
		[SEGMENT_EH_HEADER] = segment(making, PT_GNU_EH_FRAME, PF_R,
					      SECTION_EH_HEADER),
		[SEGMENT_STACK] = { .p_type = PT_GNU_STACK,
				    .p_flags = PF_R | PF_W },
	};
	size_t end = making->start[SECTION_BASE] + 1;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	segments[SEGMENT_CODE].p_filesz = segments[SEGMENT_CODE].p_memsz = end;
	segments[SEGMENT_CODE].p_align = segments[SEGMENT_DATA].p_align = page;
	put(&making->bytes, 0, &header, sizeof(header));
	put(&making->bytes, sizeof(header), segments, sizeof(segments));
}

bool object_make(struct object *object, const usdt_provider_t *provider)
{
	struct making making = { .provider = provider };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (const usdt_probedef_t *probe = provider->probedefs; probe;
	     probe = probe->next)
		making.nprobes++;
	add(&making.bytes, NULL,
	    sizeof(Elf64_Ehdr) + NSEGMENTS * sizeof(Elf64_Phdr));
	add_build_id(&making);
	add_unwinding(&making);
	add_code(&making);
	add_semaphores(&making);
	add_notes(&making);
	add_symbols(&making);
	fill_unwinding(&making);
	fill_headers(&making, add_sections(&making));
	fill_build_id(&making);
	if (making.bytes.has_failed) {
		free(making.bytes.p);
		return false;
	}
	size_t data = making.start[SECTION_PROBES];
	size_t end = data + making.size[SECTION_PROBES];

	*object = (struct object){
		.bytes = making.bytes.p,
		.size = making.bytes.n,
		.code = making.start[SECTION_TEXT],
		.data = data,
		.mapped = (end + page - 1) / page * page,
	};
	return true;
}
