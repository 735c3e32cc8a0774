/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtrace -G: the object file that is linked with the program.
 *
 * It has a semaphore for every declared probe, so that objects whose header
 * only declares them (SystemTap's) can be linked; and the byte in
 * .stapsdt.base that notes refer to.  For objects that call functions to learn
 * whether a probe is enabled it has those functions.
 *
 * Symbols are hidden: a program and its libraries each have their own.
 */
#include "usdt/relocatable.h"

#include "arch/arch.h"

struct making {
	struct relocatable object;
	uint32_t probes;      /* the section .probes */
	uint32_t code, relas; /* 0: none */
};

/* .stapsdt.base in the group of that name: the linker keeps one. */
static void add_base(struct relocatable *object)
{
	static const Elf64_Shdr header = {
		.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_GROUP,
		.sh_addralign = 1,
	};
	/* the first symbols of an object are local */
	uint32_t signature = relocatable_add_symbol(object, ".stapsdt.base",
						    &(Elf64_Sym){ 0 });

	object->sections[object->symbols].header.sh_info = signature + 1;

	Elf64_Shdr group = {
		.sh_type = SHT_GROUP, .sh_addralign = 4, .sh_entsize = 4,
		.sh_link = object->symbols, .sh_info = signature,
	};
	/* a group must come before its members */
	uint32_t number = relocatable_add_section(object, ".group", &group,
						  NULL, 0);
	uint32_t base = relocatable_add_section(object, ".stapsdt.base",
						&header, "", 1);
	uint32_t members[] = { GRP_COMDAT, base };
	Elf64_Sym symbol = {
		.st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE),
		.st_other = STV_HIDDEN, .st_size = 1,
		.st_shndx = (Elf64_Section)base,
	};

	relocatable_append(object, number, members, sizeof(members));
	relocatable_add_symbol(object, "_.stapsdt.base", &symbol);
	relocatable_symbol(object, signature)->st_shndx = (Elf64_Section)base;
}

/* It says whether anybody traces the probe. */
static void add_function(struct making *making, const char *provider,
			 const char *probe, uint32_t semaphore)
{
	const struct arch_function *function = &arch_is_enabled;
	struct relocatable *object = &making->object;
	uint64_t at = object->sections[making->code].header.sh_size;
	struct text name = { 0 };
	Elf64_Sym symbol = {
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_other = STV_HIDDEN,
		.st_shndx = (Elf64_Section)making->code, .st_value = at,
		.st_size = function->size,
	};

	text_printf(&name, "__dtraceenabled_%s___", provider);
	usdt_put_name(&name, probe);
	relocatable_append(object, making->code, function->code,
			   function->size);
	relocatable_add_symbol(object, text_str(&name), &symbol);
	relocatable_add_rela(object, making->relas, at + function->operand,
			     semaphore, function->relocation, function->addend);
	text_free(&name);
}

static void add_probe(struct making *making, const char *provider,
		      const char *probe)
{
	static const uint16_t zero;
	struct relocatable *object = &making->object;
	struct text name = { 0 };
	Elf64_Sym symbol = {
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
		.st_other = STV_HIDDEN, .st_size = sizeof(zero),
		.st_shndx = (Elf64_Section)making->probes,
		.st_value = object->sections[making->probes].header.sh_size,
	};

	usdt_put_semaphore(&name, provider, probe);
	uint32_t before = relocatable_nsymbols(object);
	uint32_t number = relocatable_add_symbol(object, text_str(&name),
						 &symbol);

	text_free(&name);
	if (number < before)
		return; /* declared twice */
	relocatable_append(object, making->probes, &zero, sizeof(zero));
	if (making->code)
		add_function(making, provider, probe, number);
}

static void add_code(struct making *making)
{
	static const Elf64_Shdr code = {
		.sh_type = SHT_PROGBITS, .sh_addralign = 16,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
	};

	making->code = relocatable_add_section(&making->object, ".text", &code,
					       NULL, 0);

	Elf64_Shdr relas = {
		.sh_type = SHT_RELA, .sh_flags = SHF_INFO_LINK,
		.sh_addralign = 8, .sh_entsize = sizeof(Elf64_Rela),
		.sh_link = making->object.symbols, .sh_info = making->code,
	};

	making->relas = relocatable_add_section(&making->object, ".rela.text",
						&relas, NULL, 0);
}

/* What its code is fit for. */
static void add_property(struct relocatable *object)
{
	static const Elf64_Shdr header = {
		.sh_type = SHT_NOTE, .sh_flags = SHF_ALLOC, .sh_addralign = 8,
	};

	if (object->header.e_machine == ARCH_ELF_MACHINE && !object->is_32 &&
	    arch_property_size)
		relocatable_add_section(object, ".note.gnu.property", &header,
					arch_property, arch_property_size);
}

void usdt_object(const struct usdt_object *what, struct text *out)
{
	static const Elf64_Shdr probes = {
		.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_WRITE,
		.sh_addralign = 2,
	};
	static const Elf64_Shdr no_stack = {
		.sh_type = SHT_PROGBITS, .sh_addralign = 1,
	};
	struct making making = { 0 };
	struct arena *arena = arena_new();

	relocatable_new(arena, what->machine, &making.object);
	add_base(&making.object);
	if (what->has_functions)
		add_code(&making);
	making.probes = relocatable_add_section(&making.object, ".probes",
						&probes, NULL, 0);
	for (uint32_t i = 0; i < what->nprograms; i++) {
		const struct provider_decl *provider =
			what->programs[i]->providers;

		for (; provider; provider = provider->next) {
			const struct provider_probe *probe = provider->probes;

			for (; probe; probe = probe->next)
				add_probe(&making, provider->name, probe->name);
		}
	}
	add_property(&making.object);
	/* the stack of the program need not be executable */
	relocatable_add_section(&making.object, ".note.GNU-stack", &no_stack,
				NULL, 0);
	relocatable_put(&making.object, out);
	arena_free(arena);
}
