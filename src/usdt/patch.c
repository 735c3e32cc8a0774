/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtrace -G: calls of __dtrace_PROVIDER___PROBE() become probe sites.
 *
 * That is what headers of other DTraces, and DTRACE_PROBE() of their
 * <sys/sdt.h>, compile to: a call of a function that does not exist.  The call
 * is overwritten and a note is added that says where, by the calling
 * convention, the arguments are at that moment.  What a call looks like and
 * what becomes of it the machine knows (arch_call_to_site()).
 *
 * 1. The relocation is made void, the symbol an absolute one that nobody
 *    uses; so the file links, and a second run finds nothing to do.
 * 2. Calls of __dtraceenabled_PROVIDER___PROBE() stay: object.c makes those
 *    functions.
 * 3. A note belongs to the group of its function and goes when that goes.
 */
#include "usdt/sites.h"

#include <errno.h>
#include <string.h>

#include "arch/arch.h"

static const char call_prefix[] = "__dtrace_";
static const char enabled_prefix[] = "__dtraceenabled_";

/* Declared probe of a symbol PREFIX PROVIDER___PROBE, or NULL. */
static const struct provider_probe *find_probe(
	const struct examination *examination, const char *text,
	const struct provider_decl **found)
{
	for (uint32_t i = 0; i < examination->nprograms; i++) {
		const struct provider_decl *provider =
			examination->programs[i]->providers;

		for (; provider; provider = provider->next) {
			size_t n = strlen(provider->name);

			if (strncmp(text, provider->name, n) ||
			    strncmp(text + n, "___", 3))
				continue;
			for (const struct provider_probe *probe =
				     provider->probes;
			     probe; probe = probe->next) {
				struct text name = { 0 };

				usdt_put_name(&name, probe->name);
				bool is_it = !strcmp(text_str(&name),
						     text + n + 3);
				text_free(&name);
				*found = provider;
				if (is_it)
					return probe;
			}
		}
	}
	return NULL;
}

/* -------------------------------------------------------------- arguments */

static unsigned bytes_of(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 ? (unsigned)size : 8;
}

/* Size, "@", operand; a blank between them. */
static void put_arguments(struct text *out, struct types *types,
			  const struct provider_probe *probe,
			  const struct arch_site *site)
{
	struct arch_taken taken = { 0 };

	for (uint32_t i = 0; i < probe->nnative; i++) {
		struct type *type = type_strip(types, probe->native[i]);
		bool is_float = type_is_float(types, type);
		bool is_signed = type_is_integer(types, type) &&
				 type_is_signed(types, type);
		unsigned bytes = type_is_integer(types, type) || is_float
					 ? bytes_of(type_size(types, type))
					 : 8;

		text_printf(out, "%s%s%u%s@", i ? " " : "",
			    is_signed ? "-" : "", bytes, is_float ? "f" : "");
		arch_put_operand(out, bytes, is_float, site, &taken);
	}
}

/* ---------------------------------------------------------------- the note */

/* Which symbol of this section can be used to address it? */
static uint32_t symbol_of_section(const struct relocatable *object,
				  uint32_t section)
{
	uint32_t best = 0, count = relocatable_nsymbols(object);

	for (uint32_t i = 1; i < count; i++) {
		const Elf64_Sym *symbol = relocatable_symbol(object, i);

		if (symbol->st_shndx != section)
			continue;
		if (ELF64_ST_TYPE(symbol->st_info) == STT_SECTION)
			return i;
		if (!best)
			best = i;
	}
	return best;
}

/* The sections for the notes of a section of code: found, or created. */
struct notes {
	uint32_t code, notes, relas;
};

static void join_group(struct relocatable *object, uint32_t code,
		       const uint32_t *members)
{
	for (uint32_t i = 1; i < object->nsections; i++) {
		const struct section *group = &object->sections[i];
		uint32_t count = (uint32_t)(group->header.sh_size / 4);

		if (group->header.sh_type != SHT_GROUP)
			continue;
		for (uint32_t k = 1; k < count; k++) {
			uint32_t member;

			memcpy(&member, group->data + 4 * k, sizeof(member));
			if (member != code)
				continue;
			relocatable_append(object, i, members,
					   2 * sizeof(*members));
			return;
		}
	}
}

static void make_sections(struct relocatable *object, uint32_t code,
			  struct notes *notes)
{
	uint64_t group = object->sections[code].header.sh_flags & SHF_GROUP;
	Elf64_Shdr note = {
		.sh_type = SHT_NOTE, .sh_addralign = 4, .sh_flags = group,
	};

	notes->code = code;
	notes->notes = relocatable_add_section(object, ".note.stapsdt", &note,
					       NULL, 0);
	Elf64_Shdr relas = {
		.sh_type = SHT_RELA, .sh_flags = SHF_INFO_LINK | group,
		.sh_addralign = 8, .sh_entsize = sizeof(Elf64_Rela),
		.sh_link = object->symbols, .sh_info = notes->notes,
	};

	notes->relas = relocatable_add_section(object, ".rela.note.stapsdt",
					       &relas, NULL, 0);
	if (group)
		join_group(object, code,
			   (const uint32_t[]){ notes->notes, notes->relas });
}

static uint32_t undefined(struct relocatable *object, const char *name)
{
	static const Elf64_Sym symbol = {
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE),
		.st_other = STV_HIDDEN,
	};

	return relocatable_add_symbol(object, name, &symbol);
}

struct site {
	const struct provider_decl *provider;
	const struct provider_probe *probe;
	struct arch_site code; /* in its section */
};

static int add_note(struct examination *examination, const struct notes *notes,
		    const struct site *site)
{
	struct relocatable *object = &examination->object;
	struct text payload = { 0 }, semaphore = { 0 };
	static const char addresses[24];
	uint32_t code = symbol_of_section(object, notes->code);
	uint64_t start = object->sections[notes->notes].header.sh_size;
	uint64_t at = start + sizeof(Elf64_Nhdr) + sizeof("stapsdt");

	if (!code)
		return -ENOEXEC;
	text_add(&payload, addresses, sizeof(addresses));
	text_puts(&payload, site->provider->name);
	text_putc(&payload, '\0');
	usdt_put_name(&payload, site->probe->name);
	text_putc(&payload, '\0');
	put_arguments(&payload, examination->types, site->probe, &site->code);
	text_putc(&payload, '\0');

	Elf64_Nhdr head = { sizeof("stapsdt"), (Elf64_Word)payload.n, 3 };

	while (payload.n % 4)
		text_putc(&payload, '\0');
	relocatable_append(object, notes->notes, &head, sizeof(head));
	relocatable_append(object, notes->notes, "stapsdt", sizeof("stapsdt"));
	relocatable_append(object, notes->notes, payload.p, payload.n);
	usdt_put_semaphore(&semaphore, site->provider->name, site->probe->name);

	uint64_t value = relocatable_symbol(object, code)->st_value;

	relocatable_add_rela(object, notes->relas, at, code, ARCH_ELF_ADDRESS,
			     (int64_t)(site->code.offset - value));
	relocatable_add_rela(object, notes->relas, at + 8,
			     undefined(object, "_.stapsdt.base"),
			     ARCH_ELF_ADDRESS, 0);
	relocatable_add_rela(object, notes->relas, at + 16,
			     undefined(object, text_str(&semaphore)),
			     ARCH_ELF_ADDRESS, 0);
	text_free(&payload);
	text_free(&semaphore);
	return 0;
}

/* ---------------------------------------------------------------- the call */

static int refuse(struct examination *examination, const char *symbol,
		  const char *why)
{
	text_printf(examination->error,
		    "failed to process object file %s: %s: %s",
		    examination->path, symbol, why);
	return -EINVAL;
}

/* All calls of one section of relocations. */
static int patch_section(struct examination *examination, uint32_t relas)
{
	struct relocatable *object = &examination->object;
	const Elf64_Shdr *header = &object->sections[relas].header;
	Elf64_Rela *rela = (void *)object->sections[relas].data;
	uint64_t count = header->sh_size / sizeof(*rela);
	uint32_t code = header->sh_info;
	struct notes notes = { 0 };
	int error = 0;

	if (code >= object->nsections)
		return -ENOEXEC;
	for (uint64_t i = 0; i < count && !error; i++) {
		uint32_t number = (uint32_t)ELF64_R_SYM(rela[i].r_info);
		const Elf64_Sym *symbol = relocatable_symbol(object, number);

		if (!symbol || symbol->st_shndx != SHN_UNDEF)
			continue;
		const char *name = relocatable_symbol_name(object, symbol);
		struct site site = { 0 };

		if (!strncmp(name, enabled_prefix,
			     sizeof(enabled_prefix) - 1) &&
		    find_probe(examination, name + sizeof(enabled_prefix) - 1,
			       &site.provider))
			examination->sites->nenabled++;
		if (strncmp(name, call_prefix, sizeof(call_prefix) - 1))
			continue;
		site.probe = find_probe(examination,
					name + sizeof(call_prefix) - 1,
					&site.provider);
		if (!site.probe)
			continue; /* another provider file's */
		/* debugging information may mention the function, too */
		uint64_t flags = object->sections[code].header.sh_flags;

		if (!(flags & SHF_ALLOC)) {
			rela[i].r_info = ELF64_R_INFO(0, ARCH_ELF_NONE);
			continue;
		}
		struct section *section = &object->sections[code];

		if (!(flags & SHF_EXECINSTR) || !section->data ||
		    !arch_call_to_site(section->data, section->header.sh_size,
				       rela[i].r_offset, &site.code))
			return refuse(examination, name,
				      "a probe can only be called");
		rela[i].r_info = ELF64_R_INFO(0, ARCH_ELF_NONE);
		if (!notes.notes)
			make_sections(object, code, &notes);
		error = add_note(examination, &notes, &site);
		examination->sites->nsites++;
		examination->sites->is_changed = true;
	}
	return error;
}

/* The next undefined symbol of a probe's function from `number` on, or NULL. */
static Elf64_Sym *next_function(const struct examination *examination,
				uint32_t *number)
{
	const struct relocatable *object = &examination->object;
	uint32_t count = relocatable_nsymbols(object);

	while (*number < count) {
		Elf64_Sym *symbol = relocatable_symbol(object, (*number)++);
		const char *name = relocatable_symbol_name(object, symbol);
		const struct provider_decl *provider;

		if (symbol->st_shndx == SHN_UNDEF &&
		    !strncmp(name, call_prefix, sizeof(call_prefix) - 1) &&
		    find_probe(examination, name + sizeof(call_prefix) - 1,
			       &provider))
			return symbol;
	}
	return NULL;
}

/*
 * The functions are no longer referenced, and must not be missed by the linker.
 */
static void retire_symbols(struct examination *examination)
{
	uint32_t number = 1;
	Elf64_Sym *symbol;

	while ((symbol = next_function(examination, &number))) {
		symbol->st_shndx = SHN_ABS;
		symbol->st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE);
		symbol->st_other = STV_HIDDEN;
	}
}

int patch_calls(struct examination *examination)
{
	struct relocatable *object = &examination->object;
	uint32_t count = object->nsections; /* without those that are added */

	if (!object->symbols)
		return 0;
	if (object->header.e_machine != ARCH_ELF_MACHINE) {
		uint32_t number = 1;
		const Elf64_Sym *symbol = next_function(examination, &number);

		if (!symbol)
			return 0;
		return refuse(
			examination, relocatable_symbol_name(object, symbol),
			arena_printf(
				object->arena,
				"calls become probes only in objects for %s",
				arch_machine_name(ARCH_ELF_MACHINE)));
	}
	for (uint32_t i = 1; i < count; i++) {
		if (object->sections[i].header.sh_type != SHT_RELA ||
		    !object->sections[i].data)
			continue;
		int error = patch_section(examination, i);

		if (error)
			return error;
	}
	if (examination->sites->is_changed)
		retire_symbols(examination);
	return 0;
}
