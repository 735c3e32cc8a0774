/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The listing of -S: one line per instruction, in the notation that the
 * kernel's verifier uses in its log, so that the two can be read side by
 * side.  Maps appear by their role, helpers by name, jumps by the number of
 * the instruction they go to.
 */
#include "bpf/bpf.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bpf/encode.h"

#define HELPER_NAME(name) [BPF_FUNC_##name] = #name
static const char *const helper_names[] = {
	__BPF_FUNC_MAPPER(HELPER_NAME)
};
#undef HELPER_NAME

static const char *const role_names[] = {
	[MAP_STATE] = "state", [MAP_RINGS] = "rings",
	[MAP_CONTROL] = "control", [MAP_GLOBALS] = "globals",
	[MAP_SELF] = "self", [MAP_SCRATCH] = "scratch",
	[MAP_RODATA] = "rodata", [MAP_AGGREGATION] = "aggregation",
	[MAP_SPECS] = "speculations", [MAP_SPEC_RINGS] = "speculation rings",
	[MAP_ARRAY] = "array", [MAP_PARTS] = "parts",
	[MAP_UNWIND] = "unwind tables",
	[MAP_CHUNKS] = "chunks", [MAP_BLANK] = "blank chunk",
	[MAP_STAGE] = "staged chunk",
};

static const char *const alu_signs[16] = {
	[BPF_ADD >> 4] = "+=", [BPF_SUB >> 4] = "-=", [BPF_MUL >> 4] = "*=",
	[BPF_DIV >> 4] = "/=", [BPF_OR >> 4] = "|=", [BPF_AND >> 4] = "&=",
	[BPF_LSH >> 4] = "<<=", [BPF_RSH >> 4] = ">>=", [BPF_MOD >> 4] = "%=",
	[BPF_XOR >> 4] = "^=", [BPF_MOV >> 4] = "=", [BPF_ARSH >> 4] = "s>>=",
};

static const char *const jump_signs[16] = {
	[BPF_JEQ >> 4] = "==", [BPF_JGT >> 4] = ">", [BPF_JGE >> 4] = ">=",
	[BPF_JSET >> 4] = "&", [BPF_JNE >> 4] = "!=", [BPF_JSGT >> 4] = "s>",
	[BPF_JSGE >> 4] = "s>=", [BPF_JLT >> 4] = "<", [BPF_JLE >> 4] = "<=",
	[BPF_JSLT >> 4] = "s<", [BPF_JSLE >> 4] = "s<=",
};

static const char *size_name(uint8_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return "u8";
	case BPF_H:
		return "u16";
	case BPF_W:
		return "u32";
	default:
		return "u64";
	}
}

static const struct bpf_reloc *reloc_at(const struct bpf_code *code,
					uint32_t insn)
{
	for (uint32_t i = 0; i < code->nrelocs; i++)
		if (code->relocs[i].insn == insn)
			return &code->relocs[i];
	return NULL;
}

static const char *function_at(const struct bpf_code *code, uint32_t insn)
{
	for (uint32_t i = 0; i < code->nfunctions; i++)
		if (code->functions[i].insn == insn)
			return code->functions[i].name;
	return "nowhere";
}

static void print_wide(const struct bpf_code *code, uint32_t at,
		       struct text *out)
{
	const struct bpf_insn *insn = &code->insns[at];
	const struct bpf_reloc *reloc = reloc_at(code, at);
	uint32_t high = (uint32_t)insn[1].imm;

	text_printf(out, "r%d = ", insn->dst_reg);
	if (insn->src_reg == BPF_PSEUDO_FUNC) {
		text_puts(out, function_at(code, at + 1 + (uint32_t)insn->imm));
		return;
	}
	if (!reloc) {
		text_printf(out, "0x%" PRIx64 " ll",
			    (uint64_t)high << 32 | (uint32_t)insn->imm);
		return;
	}
	text_printf(out, "%s%s",
		    insn->src_reg == BPF_PSEUDO_MAP_VALUE ? "&" : "map ",
		    role_names[reloc->role]);
	if (reloc->role == MAP_AGGREGATION || reloc->role == MAP_ARRAY)
		text_printf(out, " %u", reloc->index);
	if (insn->src_reg == BPF_PSEUDO_MAP_VALUE)
		text_printf(out, " + %u", high);
}

static void print_alu(const struct bpf_insn *insn, struct text *out)
{
	char kind = BPF_CLASS(insn->code) == BPF_ALU64 ? 'r' : 'w';
	int op = BPF_OP(insn->code);

	if (op == BPF_NEG)
		text_printf(out, "%c%d = -%c%d", kind, insn->dst_reg, kind,
			    insn->dst_reg);
	else if (op == BPF_END)
		text_printf(out, "r%d = %s%d r%d", insn->dst_reg,
			    BPF_SRC(insn->code) ? "be" : "le", insn->imm,
			    insn->dst_reg);
	else if (BPF_SRC(insn->code) == BPF_X)
		text_printf(out, "%c%d %s %c%d", kind, insn->dst_reg,
			    alu_signs[op >> 4], kind, insn->src_reg);
	else
		text_printf(out, "%c%d %s %d", kind, insn->dst_reg,
			    alu_signs[op >> 4], insn->imm);
}

static void print_jump(const struct bpf_code *code, uint32_t at,
		       struct text *out)
{
	const struct bpf_insn *insn = &code->insns[at];
	char kind = BPF_CLASS(insn->code) == BPF_JMP ? 'r' : 'w';
	int op = BPF_OP(insn->code);
	uint32_t to = at + 1 + (uint32_t)insn->off;

	if (op == BPF_EXIT) {
		text_puts(out, "exit");
	} else if (op == BPF_CALL && insn->src_reg == BPF_PSEUDO_CALL) {
		text_printf(out, "call %s",
			    function_at(code, at + 1 + (uint32_t)insn->imm));
	} else if (op == BPF_CALL && insn->src_reg == BPF_PSEUDO_KFUNC_CALL) {
		text_printf(out, "call function %d of the kernel's BTF",
			    insn->imm);
	} else if (op == BPF_CALL) {
		uint32_t count = sizeof(helper_names) / sizeof(*helper_names);
		uint32_t helper = (uint32_t)insn->imm;

		if (helper < count && helper_names[helper])
			text_printf(out, "call %s", helper_names[helper]);
		else
			text_printf(out, "call helper %u", helper);
	} else if (op == BPF_JA) {
		text_printf(out, "goto %u", to);
	} else if (BPF_SRC(insn->code) == BPF_X) {
		text_printf(out, "if %c%d %s %c%d goto %u", kind, insn->dst_reg,
			    jump_signs[op >> 4], kind, insn->src_reg, to);
	} else {
		text_printf(out, "if %c%d %s %d goto %u", kind, insn->dst_reg,
			    jump_signs[op >> 4], insn->imm, to);
	}
}

static void print_address(const struct bpf_insn *insn, int base,
			  struct text *out)
{
	text_printf(out, "*(%s *)(r%d %c %d)", size_name(insn->code), base,
		    insn->off < 0 ? '-' : '+', abs(insn->off));
}

static void print_atomic(const struct bpf_insn *insn, struct text *out)
{
	int op = insn->imm & ~BPF_FETCH;

	if (insn->imm == BPF_CMPXCHG) {
		text_puts(out, "r0 = cmpxchg ");
		print_address(insn, insn->dst_reg, out);
		text_printf(out, ", r0, r%d", insn->src_reg);
		return;
	}
	if (insn->imm == BPF_XCHG) {
		text_printf(out, "r%d = xchg ", insn->src_reg);
		print_address(insn, insn->dst_reg, out);
		text_printf(out, ", r%d", insn->src_reg);
		return;
	}
	if (insn->imm & BPF_FETCH)
		text_printf(out, "r%d = fetch ", insn->src_reg);
	text_puts(out, "lock ");
	print_address(insn, insn->dst_reg, out);
	text_printf(out, " %s r%d", alu_signs[op >> 4 & 15], insn->src_reg);
}

static void print_store(const struct bpf_insn *insn, struct text *out)
{
	if (BPF_MODE(insn->code) == BPF_ATOMIC) {
		print_atomic(insn, out);
		return;
	}
	print_address(insn, insn->dst_reg, out);
	if (BPF_CLASS(insn->code) == BPF_ST)
		text_printf(out, " = %d", insn->imm);
	else
		text_printf(out, " = r%d", insn->src_reg);
}

void bpf_disassemble(const struct bpf_code *code, struct text *out)
{
	for (uint32_t at = 0; at < code->count; at++) {
		const struct bpf_insn *insn = &code->insns[at];

		for (uint32_t i = 1; i < code->nfunctions; i++)
			if (code->functions[i].insn == at)
				text_printf(out, "%s:\n",
					    code->functions[i].name);
		text_printf(out, "%5u: (%02x) ", at, insn->code);
		switch (BPF_CLASS(insn->code)) {
		case BPF_LD:
			print_wide(code, at, out);
			break;
		case BPF_LDX:
			text_printf(out, "r%d = ", insn->dst_reg);
			print_address(insn, insn->src_reg, out);
			break;
		case BPF_ST:
		case BPF_STX:
			print_store(insn, out);
			break;
		case BPF_ALU:
		case BPF_ALU64:
			print_alu(insn, out);
			break;
		default:
			print_jump(code, at, out);
		}
		text_putc(out, '\n');
		if (insn_is_wide(insn))
			at++;
	}
	text_printf(out, "; %u instructions, %u bytes of stack, %u spilled",
		    code->count, code->stack_used, code->spills);
	if (code->scratch_size)
		text_printf(out, ", %u bytes of scratch", code->scratch_size);
	text_putc(out, '\n');
}
