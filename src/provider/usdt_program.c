/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs at USDT sites: which probe fired, and what its arguments are.
 *
 * A program serves all probes with the same clauses, in all processes.  It is
 * attached once at each site of each file, and the cookie identifies the site.
 * A table maps site and process to the probe.  The process is found by a binary
 * search without branches among those known when the program was built; a later
 * process has no probe of its own and belongs to the probe that represents all
 * others.
 *
 * Sites of one probe may have their arguments in different places: the
 * compiler inlined a function twice.  Where forms differ, the program looks up
 * the form of the site it is at and branches.
 */
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "ir/abi.h"
#include "provider/uprobe.h"
#include "provider/usdt.h"

enum { NO_PROCESS = INT32_MAX };

/* ----------------------------------------------------------------- tables */

static int compare_sites(const void *a, const void *b)
{
	const struct usdt_site *x = *(struct usdt_site *const *)a;
	const struct usdt_site *y = *(struct usdt_site *const *)b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->note > y->note) - (x->note < y->note);
}

static int compare_pids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static const struct usdt_probe *probe_at(const struct probe_group *group,
					 uint32_t i)
{
	return group->probes[i]->data;
}

/* Sites added last: the others already have programs. */
static uint32_t new_sites(const struct usdt_probe *probe)
{
	return probe->nsites - probe->first_new;
}

static void collect_sites(struct arena *arena, const struct probe_group *group,
			  struct usdt_group *usdt)
{
	size_t total = 0;

	for (uint32_t i = 0; i < group->nprobes; i++)
		total += new_sites(probe_at(group, i));
	usdt->sites = arena_array_of(arena, struct usdt_site *, total);
	total = 0;
	for (uint32_t i = 0; i < group->nprobes; i++) {
		const struct usdt_probe *probe = probe_at(group, i);

		if (new_sites(probe))
			memcpy(usdt->sites + total,
			       probe->sites + probe->first_new,
			       new_sites(probe) * sizeof(*probe->sites));
		total += new_sites(probe);
	}
	qsort(usdt->sites, total, sizeof(*usdt->sites), compare_sites);
	for (size_t i = 0; i < total; i++)
		if (!i || usdt->sites[i] != usdt->sites[i - 1])
			usdt->sites[usdt->nsites++] = usdt->sites[i];
}

/* Processes with probes, in this program or, if it is for all, in others. */
static void collect_pids(struct arena *arena, const struct probe_group *group,
			 struct usdt_group *usdt)
{
	size_t total = group->nprobes, count = 0;
	bool is_for_all = false;

	for (uint32_t i = 0; i < group->nprobes; i++)
		is_for_all |= !probe_at(group, i)->pid;
	for (uint32_t i = 0; is_for_all && i < usdt->nsites; i++)
		total += usdt->sites[i]->file->nusers;
	uint32_t *pids = must_alloc(checked_mul(total, sizeof(*pids)));

	for (uint32_t i = 0; i < group->nprobes; i++)
		if (probe_at(group, i)->pid)
			pids[count++] = (uint32_t)probe_at(group, i)->pid;
	for (uint32_t i = 0; is_for_all && i < usdt->nsites; i++) {
		const struct usdt_file *file = usdt->sites[i]->file;

		/* sites of one file are neighbours */
		if (i && file == usdt->sites[i - 1]->file)
			continue;
		for (size_t n = 0; n < file->nusers; n++)
			pids[count++] = (uint32_t)file->users[n].pid;
	}
	qsort(pids, count, sizeof(*pids), compare_pids);
	uint32_t unique = 0, size = 1;

	for (size_t i = 0; i < count; i++)
		if (!i || pids[i] != pids[i - 1])
			pids[unique++] = pids[i];
	while (size < unique)
		size *= 2;
	usdt->pids = arena_array_of(arena, uint32_t, size);
	for (uint32_t i = 0; i < size; i++)
		usdt->pids[i] = i < unique ? pids[i] : NO_PROCESS;
	usdt->npids = size;
	if (!is_for_all && unique == 1)
		usdt->only = (pid_t)pids[0];
	free(pids);
}

static uint32_t site_index(const struct usdt_group *usdt,
			   struct usdt_site *site)
{
	struct usdt_site **found = bsearch(&site, usdt->sites, usdt->nsites,
					   sizeof(*usdt->sites), compare_sites);

	return (uint32_t)(found - usdt->sites);
}

static uint32_t pid_index(const struct usdt_group *usdt, pid_t pid)
{
	uint32_t key = (uint32_t)pid;
	const uint32_t *found = bsearch(&key, usdt->pids, usdt->npids,
					sizeof(key), compare_pids);

	return pid ? (uint32_t)(found - usdt->pids) + 1 : 0;
}

static void fill_table(struct arena *arena, const struct probe_group *group,
		       struct usdt_group *usdt)
{
	uint32_t width = usdt->npids + 1;

	usdt->table = arena_array_of(arena, uint32_t,
				     checked_mul(usdt->nsites, width));
	for (uint32_t i = 0; i < group->nprobes; i++) {
		const struct usdt_probe *probe = probe_at(group, i);
		uint32_t column = pid_index(usdt, probe->pid);

		for (uint32_t n = probe->first_new; n < probe->nsites; n++)
			usdt->table[site_index(usdt, probe->sites[n]) * width +
				    column] = i + 1;
	}
}

/* ----------------------------------------------------------------- select */

static ir_reg load_word(struct lower *lower, const uint32_t *table,
			uint32_t count, ir_reg index)
{
	struct ir_builder *b = &lower->b;
	struct ir_mem mem = ir_rodata(b->program, table,
				      count * (uint32_t)sizeof(*table), 8);

	mem.base = ir_binary_imm(b, IR_SHL, index, 2);
	mem.bound = (count - 1) * (uint32_t)sizeof(*table) + 1;
	return ir_load(b, mem, sizeof(*table), false);
}

static void return_if(struct lower *lower, ir_reg condition)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *leave = ir_block_new(b, "not wanted");
	struct ir_block *stay = ir_block_new(b, "wanted");

	ir_branch(b, condition, leave, stay);
	ir_enter(b, leave);
	ir_return(b);
	ir_enter(b, stay);
}

/* Column of the table: 1 + index of the current process, or 0. */
static ir_reg find_process(struct lower *lower, const struct usdt_group *usdt)
{
	struct ir_builder *b = &lower->b;
	ir_reg process = lower_process_id(lower), low = ir_const(b, 0);

	for (uint32_t step = usdt->npids / 2; step; step /= 2) {
		ir_reg at = ir_binary_imm(b, IR_ADD, low, step);
		ir_reg pid = load_word(lower, usdt->pids, usdt->npids, at);
		ir_reg is_there = ir_binary(b, IR_ULE, pid, process);

		low = ir_binary(b, IR_ADD, low,
				ir_binary_imm(b, IR_MUL, is_there, step));
	}
	ir_reg pid = load_word(lower, usdt->pids, usdt->npids, low);
	ir_reg is_found = ir_binary(b, IR_EQ, pid, process);

	return ir_binary(b, IR_MUL, ir_binary_imm(b, IR_ADD, low, 1), is_found);
}

static ir_reg current_site(struct lower *lower)
{
	const struct usdt_group *usdt = lower->group->provider_data;

	return usdt->nsites > 1
		       ? ir_intrinsic(&lower->b, IR_ATTACH_COOKIE, 0, 0)
		       : ir_const(&lower->b, 0);
}

static ir_reg select_probe(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	const struct usdt_group *usdt = lower->group->provider_data;
	uint32_t width = usdt->npids + 1, cells = usdt->nsites * width;
	ir_reg column, cell, index;

	/* never attached, but all of the code is there to show what it needs */
	if (!usdt->nsites) {
		return_if(lower, lower_process_id(lower));
		return ir_const(b, 0);
	}
	if (usdt->only) {
		return_if(lower,
			  ir_binary_imm(b, IR_NE, lower_process_id(lower),
					usdt->only));
		if (lower->group->nprobes == 1)
			return ir_const(b, 0);
		column = ir_const(b, 1);
	} else {
		column = find_process(lower, usdt);
	}
	cell = ir_binary_imm(b, IR_MUL, current_site(lower), width);
	cell = ir_binary(b, IR_ADD, cell, column);
	return_if(lower, ir_binary_imm(b, IR_UGE, cell, cells));
	index = load_word(lower, usdt->table, cells, cell);
	return_if(lower, ir_binary_imm(b, IR_EQ, index, 0));
	return ir_binary_imm(b, IR_SUB, index, 1);
}

/* --------------------------------------------------------------- argument */

/* Distinct forms of one argument, and which each site has. */
struct forms {
	const struct usdt_argument **items; /* NULL: there is none */
	uint32_t count;
	uint32_t *of_site;
};

static const struct usdt_argument *argument_at(const struct usdt_site *site,
					       uint32_t n)
{
	return n < site->narguments && n < USDT_ARGUMENTS ? &site->arguments[n]
							  : NULL;
}

static bool same_form(const struct usdt_argument *a,
		      const struct usdt_argument *b)
{
	return a == b || (a && b && usdt_argument_same(a, b));
}

static struct forms collect_forms(struct lower *lower, uint32_t n)
{
	const struct usdt_group *usdt = lower->group->provider_data;
	struct arena *arena = lower->session->arena;
	struct forms forms = {
		.items = arena_array_of(arena, const struct usdt_argument *,
					usdt->nsites),
		.of_site = arena_array_of(arena, uint32_t, usdt->nsites),
	};

	for (uint32_t i = 0; i < usdt->nsites; i++) {
		const struct usdt_argument *argument =
			argument_at(usdt->sites[i], n);
		uint32_t form = 0;

		while (form < forms.count &&
		       !same_form(forms.items[form], argument))
			form++;
		if (form == forms.count)
			forms.items[forms.count++] = argument;
		forms.of_site[i] = form;
	}
	return forms;
}

static ir_reg lower_form(struct lower *lower, uint32_t n,
			 const struct usdt_argument *argument)
{
	const struct fact_probe *probe = &lower->group->probes[0];

	if (argument && argument->operand.kind == OPERAND_UNREADABLE)
		lower_fail(lower, NULL,
			   "argument %u of probe %s:%s:%s:%s cannot be read: %s",
			   n, probe->provider, probe->module, probe->function,
			   probe->name, argument->operand.problem);
	return argument ? usdt_argument_lower(lower, argument)
			: ir_const(&lower->b, 0);
}

static ir_reg read_argument(struct lower *lower, uint32_t n)
{
	struct ir_builder *b = &lower->b;
	const struct usdt_group *usdt = lower->group->provider_data;
	struct forms forms = collect_forms(lower, n);

	if (!forms.count)
		return ir_const(b, 0);
	if (forms.count == 1)
		return lower_form(lower, n, forms.items[0]);
	ir_reg form = load_word(lower, forms.of_site, usdt->nsites,
				current_site(lower));
	ir_reg value = ir_reg_new(b->program);
	struct ir_block *done = ir_block_new(b, "argument");

	for (uint32_t i = 0; i < forms.count; i++) {
		struct ir_block *other = NULL;

		if (i + 1 < forms.count) {
			struct ir_block *form_block = ir_block_new(b, "form");

			other = ir_block_new(b, "other form");
			ir_branch(b, ir_binary_imm(b, IR_EQ, form, i),
				  form_block, other);
			ir_enter(b, form_block);
		}
		ir_move(b, value, lower_form(lower, n, forms.items[i]));
		if (!other)
			break;
		ir_goto(b, done);
		ir_enter(b, other);
	}
	ir_enter(b, done);
	return value;
}

int usdt_context(struct arena *arena, struct probe_group *group)
{
	struct usdt_group *usdt = arena_new_of(arena, struct usdt_group);

	collect_sites(arena, group, usdt);
	collect_pids(arena, group, usdt);
	fill_table(arena, group, usdt);
	uprobe_context(arena, group);
	group->provider_data = usdt;
	group->lower.provider_data = usdt;
	group->lower.select = select_probe;
	group->lower.argument = read_argument;
	return 0;
}
