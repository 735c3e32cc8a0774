/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -S: the three forms of everything enabled, without touching the kernel.  -x
 * dump and -x tree select among them.
 */
#include <stdio.h>

#include "run/internal.h"

/* Bits of the option dump, in the order of its words. */
enum { FORM_TREE = 1, FORM_IR = 2, FORM_BPF = 4 };

static unsigned forms_wanted(const struct options *options)
{
	unsigned forms = (unsigned)option_number(options, OPTION_DUMP);

	if (option_on(options, OPTION_TREE))
		forms |= FORM_TREE;
	if (!forms || option_on(options, OPTION_VERBOSE))
		forms = FORM_TREE | FORM_IR | FORM_BPF;
	return forms;
}

static void list_group(const struct group *group, unsigned forms,
		       struct text *out)
{
	const struct fact_probe *first = &group->enablings[0]->names;

	text_printf(out, "\nProgram for %s:%s:%s:%s", first->provider,
		    first->module, first->function, first->name);
	if (group->nenablings > 1)
		text_printf(out, " and %u more probes", group->nenablings - 1);
	text_putc(out, '\n');
	if (forms & FORM_IR) {
		text_puts(out, "\nIR:\n");
		ir_print(group->ir, out);
	}
	if (forms & FORM_BPF) {
		text_printf(
			out,
			"\nBPF: %u instructions, %u bytes of stack, %u spills\n",
			group->code->count, group->code->stack_used,
			group->code->spills);
		bpf_disassemble(group->code, out);
	}
}

int session_disassemble(struct session *session, struct text *out)
{
	unsigned forms = forms_wanted(session->config.options);

	for (size_t i = 0; forms & FORM_TREE && i < session->programs.count;
	     i++) {
		text_puts(out, "\nTree:\n");
		tree_print_program(language_types(session->language),
				   vec_at(&session->programs, i,
					  struct program),
				   out);
	}
	if (!(forms & (FORM_IR | FORM_BPF)))
		return 0;
	int error = session_prepare(session);

	if (error)
		return error;
	for (uint32_t i = 0; i < session->ngroups; i++)
		list_group(&session->groups[i], forms, out);
	return 0;
}
