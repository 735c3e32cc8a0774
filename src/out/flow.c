/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow indentation (-F): entries and returns drawn as a tree.
 *
 * A firing of a probe with several clauses leaves several records; only one
 * of them may move the indentation.  Of an entry's records that is the first:
 * a later one is known by the record before it, which has the same probe and
 * a smaller clause number.  Of a return's records it is the last, so the
 * record after it must be looked at.  "Before" and "after" are meant on one
 * CPU, where the clauses of a firing stand next to each other; the caller
 * knows them.  The depth is one for the whole consumer.
 */
#include <string.h>

#include "out/out.h"

enum flow { FLOW_NONE, FLOW_ENTRY, FLOW_RETURN };
enum { STEP = 2 };

static bool ends_with(const char *name, const char *word)
{
	size_t n = strlen(name), m = strlen(word);

	if (n < m || strcmp(name + n - m, word))
		return false;
	return n == m || name[n - m - 1] == '-';
}

static enum flow flow_of(const struct printer *printer)
{
	const struct abi_record *record = printer->record;

	if (ends_with(printer->probe->name, "entry")) {
		bool is_later = printer->last &&
				printer->last_probe == record->probe &&
				layout_follows(printer->layout, printer->last);

		return is_later ? FLOW_NONE : FLOW_ENTRY;
	}
	if (ends_with(printer->probe->name, "return")) {
		bool has_more = printer->next &&
				printer->next_probe == record->probe &&
				printer->next->clause > printer->layout->clause;

		return has_more ? FLOW_NONE : FLOW_RETURN;
	}
	return FLOW_NONE;
}

void flow_print(struct printer *printer, struct text *out)
{
	static const char *const prefixes[][2] = {
		[FLOW_NONE] = { "| ", "| " },
		[FLOW_ENTRY] = { " -> ", " => " },
		[FLOW_RETURN] = { " <- ", " <= " },
	};
	enum flow flow = flow_of(printer);
	const struct lower_probe *probe = printer->probe;
	bool is_syscall = !strcmp(probe->provider, "syscall");

	if (flow == FLOW_RETURN && printer->flow_depth >= STEP)
		printer->flow_depth -= STEP;
	text_printf(out, "%*s%s", printer->flow_depth, "",
		    prefixes[flow][is_syscall]);
	print_name(printer, probe->function, out);
	if (flow == FLOW_NONE) {
		text_putc(out, ':');
		print_name(printer, probe->name, out);
	}
	if (flow == FLOW_ENTRY)
		printer->flow_depth += STEP;
}
