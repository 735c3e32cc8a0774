/* SPDX-License-Identifier: Apache-2.0 */
/* One interface to names; see symbols.h. */
#include "proc/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct symbols {
	struct kernel_symbols *kernel; /* NULL: not read yet */
	struct processes *processes;
	uint32_t kernel_depth; /* 0: not read yet */
};

struct symbols *symbols_new(struct processes *processes)
{
	struct symbols *symbols = must_alloc(sizeof(*symbols));

	*symbols = (struct symbols){ .processes = processes };
	return symbols;
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	kernel_symbols_free(symbols->kernel);
	free(symbols);
}

struct processes *symbols_processes(struct symbols *symbols)
{
	return symbols->processes;
}

bool symbols_kernel(struct symbols *symbols, uint64_t address,
		    struct symbol *symbol)
{
	if (!symbols->kernel)
		symbols->kernel = kernel_symbols_read("/proc/kallsyms");
	return kernel_symbols_find(symbols->kernel, address, symbol);
}

bool symbols_kernel_hidden(const struct symbols *symbols)
{
	return symbols->kernel && kernel_symbols_hidden(symbols->kernel);
}

bool symbols_user(struct symbols *symbols, uint32_t pid, uint64_t address,
		  struct symbol *symbol)
{
	return processes_find(symbols->processes, pid, address, symbol);
}

void symbols_watch(struct symbols *symbols)
{
	processes_watch(symbols->processes);
}

void symbols_poll(struct symbols *symbols)
{
	processes_poll(symbols->processes);
}

bool symbols_is_made(struct symbols *symbols, uint32_t pid, uint64_t address)
{
	return processes_is_made(symbols->processes, pid, address);
}

void symbols_note_process(struct symbols *symbols, uint32_t pid)
{
	processes_note(symbols->processes, pid);
}

bool symbols_are_many(const struct symbols *symbols)
{
	return processes_are_many(symbols->processes);
}

void symbols_keep(struct symbols *symbols, uint32_t pid)
{
	processes_keep(symbols->processes, pid);
}

void symbols_forget(struct symbols *symbols, uint64_t age)
{
	processes_forget(symbols->processes, age);
}

uint32_t symbols_kernel_depth(struct symbols *symbols)
{
	enum { USUAL = 127 };
	FILE *file;

	if (symbols->kernel_depth)
		return symbols->kernel_depth;
	file = fopen("/proc/sys/kernel/perf_event_max_stack", "re");
	if (!file || fscanf(file, "%u", &symbols->kernel_depth) != 1)
		symbols->kernel_depth = USUAL;
	if (file)
		fclose(file);
	return symbols->kernel_depth;
}

bool symbols_is_machinery(struct symbols *symbols, uint64_t address)
{
	static const char *const beginnings[] = {
		"bpf_prog_", "bpf_trace_run", "__bpf_trace_", "__traceiter_",
		"bpf_trampoline_", "bpf_dispatcher_",
	};
	struct symbol symbol;

	if (!symbols_kernel(symbols, address, &symbol))
		return false;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (!strncmp(symbol.name, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}
