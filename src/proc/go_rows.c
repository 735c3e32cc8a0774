/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules for walking stacks of Go programs, which have no .eh_frame: their own
 * table says for every instruction how far the stack pointer is from the
 * caller's.  So a function that has not set up its frame, or has removed it, is
 * walked, too.
 *
 * The first function of a goroutine or thread is known by a flag, and so are
 * those that change the stack.  A stack ends at these: what follows would be the
 * scheduler's, or a goroutine's that went on elsewhere.  Handlers of signals are
 * flagged as well, but the code that was interrupted is known: where the handler
 * returns to.
 */
#include "proc/eh_frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/budget.h"
#include "bpf/unwind.h"
#include "proc/go_table.h"

enum { WORD = 8 };

enum role { ROLE_ORDINARY, ROLE_FIRST, ROLE_SWITCH, ROLE_SIGNAL, ROLE_SAVED };

/* Functions that are not what their flags say; a name's beginning. */
static const struct {
	const char *name;
	enum role role;
} known[] = {
	{ "runtime.sigtramp", ROLE_ORDINARY },
	{ "runtime.cgoSigtramp", ROLE_ORDINARY },
	{ "runtime.sigreturn", ROLE_SIGNAL },
	/* it goes back to the stack of the Go code that called C */
	{ "runtime.cgocallback", ROLE_ORDINARY },
	/* to here, as the runtime has saved it for that */
	{ "runtime.systemstack_switch", ROLE_SAVED },
};

static enum role role_of(const struct go_function *function)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strncmp(function->name, known[i].name,
			     strlen(known[i].name)))
			return known[i].role;
	if (function->flags & GO_FIRST)
		return ROLE_FIRST;
	return function->flags & GO_SWITCHES ? ROLE_SWITCH : ROLE_ORDINARY;
}

/* With a frame pointer; mcall has none, but pushes a word for a call. */
static bool has_frame(const struct go_table *go,
		      const struct go_function *function)
{
	struct go_values values;

	go_values_open(&values, go, function, GO_STACK);
	while (go_values_next(&values))
		if (values.value >= 2 * WORD)
			return true;
	return false;
}

/* Returns how much work it was. */
static uint32_t add_function(struct eh_rows *rows, const struct go_table *go,
			     const struct go_function *function)
{
	enum role role = role_of(function);
	uint64_t at = function->start;
	struct go_values values;

	/* A handler returns to its start, and a caller is looked for before it. */
	if (role == ROLE_SIGNAL)
		eh_rows_add(rows, at - 1, ROW_SIGNAL, 0, 0);
	if (role == ROLE_SAVED)
		eh_rows_add(rows, at - 1, ROW_SP, WORD, 0);
	if (role == ROLE_SWITCH && !has_frame(go, function))
		role = ROLE_FIRST;
	if (role == ROLE_FIRST)
		eh_rows_add(rows, at, ROW_END, 0, 0);
	go_values_open(&values, go, function, GO_STACK);
	while (role != ROLE_FIRST && role != ROLE_SIGNAL &&
	       at < function->end && go_values_next(&values)) {
		int64_t pushed = values.value;

		at = values.end;
		if (pushed < 0 || pushed % WORD)
			eh_rows_add(rows, values.start, ROW_NONE, 0, 0);
		else if (!pushed)
			eh_rows_add(rows, values.start, ROW_SP, WORD, 0);
		else if (role == ROLE_SWITCH)
			eh_rows_add(rows, values.start, ROW_FP, 2 * WORD,
				    -2 * WORD);
		else
			eh_rows_add(rows, values.start, ROW_SP, pushed + WORD,
				    -2 * WORD);
	}
	return values.count;
}

/* Those of another table that are in `rows`, but not in [start, end). */
static void add_others(struct eh_rows *rows, const struct eh_rows *others,
		       uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < others->count; i++) {
		uint64_t row = others->rows[i];

		if ((uint32_t)row >= start && (uint32_t)row < end)
			eh_rows_append(rows, row);
	}
}

void go_rows_add(struct eh_rows *rows, struct elf_file *file)
{
	struct eh_rows all = { .base = rows->base };
	struct go_function function;
	struct go_table go;

	if (!go_table_section(file) || !go_table_read(&go, file))
		return;
	uint64_t start = go_table_start(&go, 0) - rows->base;
	uint64_t end = go_table_start(&go, go.count) - rows->base;

	if (go.values_end && start < end && end < UINT32_MAX) {
		/* C has its own rules, before Go's code and after it. */
		add_others(&all, rows, 0, start);
		uint32_t work = 0;

		for (size_t n = 0;
		     n < go.count && budget_work(file->budget, work + 1); n++)
			if (go_table_function(&go, n, &function) &&
			    function.start - rows->base < end &&
			    function.end - rows->base <= end)
				work = add_function(&all, &go, &function);
		eh_rows_add(&all, rows->base + end, ROW_NONE, 0, 0);
		add_others(&all, rows, end, UINT64_MAX);
		free(rows->rows);
		rows->rows = all.rows;
		rows->count = all.count;
		rows->capacity = all.capacity;
	}
	free((void *)(uintptr_t)go.bytes);
}
