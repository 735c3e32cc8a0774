/* SPDX-License-Identifier: Apache-2.0 */
#include "bpf/link.h"

#include <string.h>

#include "bpf/gen.h"

enum { FRAME_ALIGN = 32 }; /* the verifier rounds frames up to that */

static uint32_t find(const char *name)
{
	for (uint32_t i = 0; i < library_code_count; i++)
		if (!strcmp(library_code[i].name, name))
			return i;
	return UINT32_MAX;
}

/* Row of library_code; UINT32_MAX: the binary was built without it. */
static uint32_t row_of(enum ir_function function)
{
	static const char *const names[] = {
#define FUNCTION(name) [FUNCTION_##name] = "d_" #name,
#include "bpf/functions.def"
#undef FUNCTION
	};

	return find(names[function]);
}

static uint32_t stack_below(uint32_t row)
{
	const struct library_code *code = &library_code[row];
	uint32_t own = (code->stack + FRAME_ALIGN - 1) / FRAME_ALIGN *
		       FRAME_ALIGN;
	uint32_t deepest = 0;

	for (uint32_t i = 0; i < code->nuses; i++) {
		uint32_t depth = stack_below(code->uses[i].function);

		if (depth > deepest)
			deepest = depth;
	}
	return (own ? own : FRAME_ALIGN) + deepest;
}

uint32_t link_stack(enum ir_function function)
{
	uint32_t row = row_of(function);

	return row == UINT32_MAX ? 0 : stack_below(row);
}

/* ---------------------------------------------------------------- the links */

static void note(struct gen *g, uint32_t insn, uint32_t row)
{
	g->links = arena_grown(g->arena, g->links, g->nlinks,
			       sizeof(*g->links));
	g->links[g->nlinks++] = (struct library_use){ insn, row };
}

void link_call(struct gen *g, enum ir_function function)
{
	uint32_t row = row_of(function);

	if (row == UINT32_MAX) {
		emit_fail(&g->e,
			  "a function is missing in the run-time library");
		return;
	}
	note(g, g->e.count, row);
	out(g, insn_call_function(0));
}

static void append(struct gen *g, uint32_t row)
{
	const struct library_code *code = &library_code[row];
	uint32_t start = g->e.count;

	g->functions[g->nfunctions++] = (struct bpf_function){
		.name = code->name,
		.insn = start,
	};
	for (uint32_t i = 0; i < code->count; i++)
		out(g, code->insns[i]);
	for (uint32_t i = 0; i < code->nuses; i++)
		note(g, start + code->uses[i].insn, code->uses[i].function);
}

static struct bpf_function routine_function(const struct gen *g, uint32_t i)
{
	bool is_function = g->program->routines[i].is_function;

	return (struct bpf_function){
		.name = g->program->routines[i].name,
		.insn = g->routines[i].start,
		.is_global = is_function,
		.slot_size = is_function ? g->scratch_size : 0,
	};
}

void link_functions(struct gen *g)
{
	if (!g->nlinks && !g->callback && !g->chunk_function && !g->ncalls)
		return;
	uint32_t *starts = arena_array_of(g->arena, uint32_t,
					  library_code_count);

	g->functions = arena_array_of(g->arena, struct bpf_function,
				      library_code_count + 4 + g->nroutines);
	g->functions[g->nfunctions++] =
		(struct bpf_function){ .name = "dtrace" };
	for (uint32_t i = 0; i < g->nroutines; i++)
		if (g->routines[i].is_planned)
			g->functions[g->nfunctions++] = routine_function(g, i);
	if (g->callback)
		g->functions[g->nfunctions++] = (struct bpf_function){
			.name = "each",
			.insn = g->callback,
		};
	if (g->chunk_function) {
		g->functions[g->nfunctions++] = (struct bpf_function){
			.name = "level",
			.insn = g->chunk_level,
		};
		g->functions[g->nfunctions++] = (struct bpf_function){
			.name = "chunk",
			.insn = g->chunk_function,
			.is_global = true,
		};
	}
	g->e.place = (struct place){ 0 };
	/* Appending adds links, so that this walks all that is used. */
	for (uint32_t i = 0; i < g->nlinks; i++) {
		struct library_use link = g->links[i];

		if (!starts[link.function]) {
			starts[link.function] = g->e.count;
			append(g, link.function);
		}
		struct bpf_insn *insn = &g->e.insns[link.insn];

		if (insn->code == (BPF_LD | BPF_DW | BPF_IMM))
			insn->src_reg = BPF_PSEUDO_FUNC;
		insn->imm = (int32_t)(starts[link.function] - link.insn - 1);
	}
}
