/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bpfembed: the run-time library as a C table (see src/bpf/link.h).  Runs at
 * build time:  bpfembed build/bpf/json.bpf.o ... >library.c
 *
 * Each function of the objects becomes a row: its name, its instructions, the
 * places in them that name other functions (calls, and addresses for bpf_loop),
 * and the stack it uses.  So no ELF is read at run time, and a program gets
 * only the functions it uses.
 */
#include <elf.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EM_BPF
#define EM_BPF 247
#endif
enum { RELOC_ADDRESS = 1, RELOC_CALL = 10 };	/* R_BPF_64_64, R_BPF_64_32 */

struct object {
	const char *path;
	uint8_t *bytes;
	const Elf64_Shdr *sections;
	const Elf64_Sym *symbols;
	size_t nsymbols;
	const char *names;
	const struct bpf_insn *code;
	uint32_t count, text;
	const Elf64_Rel *rels;
	size_t nrels;
	uint32_t first;			/* of its functions, in all */
};

struct function {
	const struct object *object;
	const char *name;
	bool is_global;
	uint32_t start, count;		/* instructions */
};

static struct function *functions;
static uint32_t nfunctions;

static __attribute__((noreturn)) void fail(const char *path, const char *format,
					   ...)
{
	va_list args;

	fprintf(stderr, "bpfembed: %s: ", path);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static void read_file(struct object *object)
{
	FILE *file = fopen(object->path, "rb");
	long size;

	if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0)
		fail(object->path, "cannot be read");
	rewind(file);
	object->bytes = malloc((size_t)size + 1);
	if (!object->bytes ||
	    fread(object->bytes, 1, (size_t)size, file) != (size_t)size)
		fail(object->path, "cannot be read");
	fclose(file);

	const Elf64_Ehdr *header = (const Elf64_Ehdr *)object->bytes;

	if ((size_t)size < sizeof(*header) ||
	    memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_machine != EM_BPF)
		fail(object->path, "is no BPF object");
	object->sections = (const Elf64_Shdr *)(object->bytes +
						header->e_shoff);
	const char *names = (const char *)object->bytes +
			    object->sections[header->e_shstrndx].sh_offset;

	for (unsigned i = 0; i < header->e_shnum; i++) {
		const Elf64_Shdr *s = &object->sections[i];
		const void *at = object->bytes + s->sh_offset;

		if (s->sh_type == SHT_SYMTAB) {
			object->symbols = at;
			object->nsymbols = s->sh_size / sizeof(Elf64_Sym);
			object->names = (const char *)object->bytes +
				object->sections[s->sh_link].sh_offset;
		} else if (!strcmp(names + s->sh_name, ".text")) {
			object->code = at;
			object->count = (uint32_t)(s->sh_size / 8);
			object->text = i;
		} else if (!strcmp(names + s->sh_name, ".rel.text")) {
			object->rels = at;
			object->nrels = s->sh_size / sizeof(Elf64_Rel);
		} else if (s->sh_type != SHT_NULL && s->sh_size &&
			   (s->sh_flags & SHF_ALLOC)) {
			fail(object->path, "has data in %s: the library may have none",
			     names + s->sh_name);
		}
	}
	if (!object->code || !object->symbols)
		fail(object->path, "has no code");
}

static void find_functions(struct object *object)
{
	object->first = nfunctions;
	for (size_t i = 0; i < object->nsymbols; i++) {
		const Elf64_Sym *symbol = &object->symbols[i];

		if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC ||
		    symbol->st_shndx != object->text)
			continue;
		functions = realloc(functions,
				    (nfunctions + 1) * sizeof(*functions));
		if (!functions)
			fail(object->path, "no memory");
		functions[nfunctions++] = (struct function){
			.object = object,
			.name = object->names + symbol->st_name,
			.is_global = ELF64_ST_BIND(symbol->st_info) ==
				     STB_GLOBAL,
			.start = (uint32_t)(symbol->st_value / 8),
			.count = (uint32_t)(symbol->st_size / 8),
		};
	}
}

static uint32_t function_at(const struct object *object, int64_t insn)
{
	for (uint32_t i = 0; i < nfunctions; i++)
		if (functions[i].object == object &&
		    functions[i].start == insn)
			return i;
	fail(object->path, "no function starts at instruction %lld",
	     (long long)insn);
}

static uint32_t function_named(const struct object *object, const char *name)
{
	for (uint32_t i = 0; i < nfunctions; i++)
		if (functions[i].is_global && !strcmp(functions[i].name, name))
			return i;
	fail(object->path, "there is no function %s", name);
}

/* Which function the instruction names; UINT32_MAX: none. */
static uint32_t target_of(const struct object *object, uint32_t at)
{
	const struct bpf_insn *insn = &object->code[at];
	bool is_call = insn->code == (BPF_JMP | BPF_CALL) &&
		       insn->src_reg == BPF_PSEUDO_CALL;

	for (size_t i = 0; i < object->nrels; i++) {
		const Elf64_Rel *rel = &object->rels[i];
		const Elf64_Sym *symbol =
			&object->symbols[ELF64_R_SYM(rel->r_info)];
		uint32_t type = (uint32_t)ELF64_R_TYPE(rel->r_info);

		if (rel->r_offset != (uint64_t)at * 8)
			continue;
		if (symbol->st_shndx == SHN_UNDEF ||
		    ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
			return function_named(object,
					      object->names + symbol->st_name);
		if (symbol->st_shndx != object->text)
			fail(object->path, "names something that is no function");
		/* Relative to the section: bytes, or instructions - 1. */
		return function_at(object, type == RELOC_CALL
					   ? (int64_t)insn->imm + 1
					   : insn->imm / 8);
	}
	return is_call ? function_at(object, (int64_t)at + 1 + insn->imm)
		       : UINT32_MAX;
}

/* Bytes below R10 that are touched or whose address is taken. */
static uint32_t stack_of(const struct function *function)
{
	const struct bpf_insn *code = function->object->code + function->start;
	int32_t lowest = 0;

	for (uint32_t i = 0; i < function->count; i++) {
		const struct bpf_insn *insn = &code[i];
		unsigned class = BPF_CLASS(insn->code);
		int32_t offset = 0;

		if (((class == BPF_STX || class == BPF_ST) &&
		     insn->dst_reg == BPF_REG_10) ||
		    (class == BPF_LDX && insn->src_reg == BPF_REG_10))
			offset = insn->off;
		if (insn->code == (BPF_ALU64 | BPF_ADD | BPF_K) && i &&
		    code[i - 1].code == (BPF_ALU64 | BPF_MOV | BPF_X) &&
		    code[i - 1].src_reg == BPF_REG_10)
			offset = insn->imm;
		if (offset < lowest)
			lowest = offset;
	}
	return (uint32_t)-lowest;
}

static void write_function(uint32_t number)
{
	const struct function *function = &functions[number];
	const struct object *object = function->object;
	bool has_relocs = false;

	printf("static const struct bpf_insn code_%u[] = {\n", number);
	for (uint32_t i = 0; i < function->count; i++) {
		const struct bpf_insn *insn =
			&object->code[function->start + i];

		printf("\t{ 0x%02x, %u, %u, %d, %d },\n", insn->code,
		       insn->dst_reg, insn->src_reg, insn->off, insn->imm);
	}
	printf("};\n");
	for (uint32_t i = 0; i < function->count; i++) {
		uint32_t target = target_of(object, function->start + i);

		if (target == UINT32_MAX)
			continue;
		if (!has_relocs)
			printf("static const struct library_use uses_%u[] = {\n",
			       number);
		has_relocs = true;
		printf("\t{ %u, %u },\n", i, target);
	}
	if (has_relocs)
		printf("};\n");
	else
		printf("#define uses_%u NULL\n", number);
}

int main(int argc, char **argv)
{
	struct object *objects = calloc((size_t)argc, sizeof(*objects));

	for (int i = 1; i < argc; i++) {
		objects[i].path = argv[i];
		read_file(&objects[i]);
		find_functions(&objects[i]);
	}
	printf("/* Made by tools/bpfembed.c. */\n#include \"bpf/link.h\"\n\n");
	for (uint32_t i = 0; i < nfunctions; i++)
		write_function(i);
	printf("\nconst struct library_code library_code[] = {\n");
	for (uint32_t i = 0; i < nfunctions; i++) {
		const struct function *function = &functions[i];
		unsigned nuses = 0;

		for (uint32_t n = 0; n < function->count; n++)
			nuses += target_of(function->object,
					   function->start + n) != UINT32_MAX;
		printf("\t{ \"%s\", code_%u, %u, uses_%u, %u, %u },\n",
		       function->name, i, function->count, i, nuses,
		       stack_of(function));
	}
	printf("};\nconst uint32_t library_code_count = %u;\n", nfunctions);
	return 0;
}
