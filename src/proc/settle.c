/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settle: let a held process run until its libraries are loaded.
 *
 * Before its first instruction, a program has only itself and its dynamic
 * linker mapped.  The dynamic linker has a function for debuggers,
 * _dl_debug_state(), which it calls when its list of objects has changed;
 * _r_debug says when the list is complete.  A breakpoint there stops the
 * process before any code of a library has run.  A program without a dynamic
 * linker has everything already.  Later moments are places in the program: its
 * first instruction, where the dynamic linker jumps in the end, and main().
 *
 * The breakpoint is a hardware breakpoint.  A breakpoint instruction would not
 * do: if another tracer has a probe at the same place of the file, in any
 * process, the kernel takes it for its own and continues.  It is used only if
 * no hardware breakpoint is left.
 *
 * 1. The breakpoint is removed before any other code sees the process.
 * 2. If the process ends meanwhile, its target waits for it.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "proc/module.h"
#include "proc/target.h"

enum { RT_CONSISTENT = 0, STATE_OFFSET = 24 };

/* A value of the auxiliary vector, or 0. */
static uint64_t auxiliary(pid_t pid, uint64_t type)
{
	char path[32];
	Elf64_auxv_t entry;
	uint64_t value = 0;

	snprintf(path, sizeof(path), "/proc/%d/auxv", (int)pid);
	FILE *file = fopen(path, "re");

	while (file && fread(&entry, sizeof(entry), 1, file) == 1)
		if (entry.a_type == type)
			value = entry.a_un.a_val;
	if (file)
		fclose(file);
	return value;
}

/* Address, as linked, of a name in .dynsym or .symtab; 0: none. */
static uint64_t symbol_in(struct elf_file *file, uint32_t type,
			  const char *wanted)
{
	struct elf_table table;
	uint64_t value = 0;

	if (!elf_file_read_table(file, type, &table))
		return 0;
	for (size_t i = 0; !value && i < table.count; i++) {
		const char *name = elf_table_name(&table, &table.symbols[i]);

		if (name && table.symbols[i].st_shndx != SHN_UNDEF &&
		    !strcmp(name, wanted))
			value = table.symbols[i].st_value;
	}
	elf_table_free(&table);
	return value;
}

uint64_t settle_symbol(struct elf_file *file, const char *name)
{
	uint64_t value = symbol_in(file, SHT_DYNSYM, name);

	return value ? value : symbol_in(file, SHT_SYMTAB, name);
}

/* 0: it is stopped at a signal, whose number is in *number. */
static int wait_for_stop(pid_t pid, int *number)
{
	siginfo_t info = { 0 };
	int status;

	while (waitid(P_PID, (id_t)pid, &info,
		      WEXITED | WSTOPPED | WNOWAIT | __WALL) < 0)
		if (errno != EINTR)
			return -errno;
	if (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
	    info.si_code == CLD_DUMPED)
		return -ESRCH;
	if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
		return -ESRCH;
	/* events of ptrace(2) are not signals */
	*number = status >> 16 ? 0 : WSTOPSIG(status);
	return 0;
}

/* Until the process is at the address, or just after it. */
static int run_until(pid_t pid, uint64_t address, uint64_t stop)
{
	struct arch_thread thread;
	int number = 0, error;

	for (;;) {
		if (ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)number))
			return -errno;
		error = wait_for_stop(pid, &number);
		if (error)
			return error;
		if (number == SIGTRAP && !arch_thread_read(pid, &thread) &&
		    thread.pc == stop)
			break;
	}
	return arch_thread_go_to(pid, address);
}

static int run_to_instruction(pid_t pid, uint64_t address)
{
	errno = 0;
	long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)address, NULL);

	if (errno ||
	    ptrace(PTRACE_POKETEXT, pid, (void *)address,
		   (void *)arch_breakpoint_instruction((uint64_t)word)))
		return -errno;
	int error = run_until(pid, address, address + ARCH_BREAKPOINT_SIZE);

	if (!error &&
	    ptrace(PTRACE_POKETEXT, pid, (void *)address, (void *)word))
		error = -errno;
	return error;
}

static int run_to(pid_t pid, uint64_t address)
{
	if (arch_breakpoint_set(pid, address))
		return run_to_instruction(pid, address);
	int error = run_until(pid, address, address);

	return error ? error : arch_breakpoint_clear(pid);
}

/* Execute the one instruction that a breakpoint was on. */
static int step(pid_t pid)
{
	int number;

	if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
		return -errno;
	return wait_for_stop(pid, &number);
}

/* The one whose first mapping is at `address`. */
static struct module *module_at(struct modules *modules, uint64_t address)
{
	for (size_t i = 0; i < modules->count; i++)
		if (modules->items[i]->start == address &&
		    module_open_file(modules, modules->items[i]))
			return modules->items[i];
	return NULL;
}

static int run_linker(pid_t pid, struct modules *modules, uint64_t base)
{
	struct module *linker = module_at(modules, base);
	uint64_t hook = linker ? settle_symbol(&linker->image->file,
					       "_dl_debug_state")
			       : 0;
	uint64_t list = linker ? settle_symbol(&linker->image->file, "_r_debug")
			       : 0;

	if (!hook)
		return -ENOENT;
	for (;;) {
		int error = run_to(pid, base + hook);

		if (error || !list)
			return error;
		long state = ptrace(PTRACE_PEEKDATA, pid,
				    (void *)(base + list + STATE_OFFSET), NULL);

		if ((int)state == RT_CONSISTENT)
			return 0;
		error = step(pid);
		if (error)
			return error;
	}
}

static struct module *program_of(struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		if (modules->items[i]->is_program &&
		    module_open_file(modules, modules->items[i]))
			return modules->items[i];
	return NULL;
}

/*
 * main() of a stripped program: what its first instructions hand to the C
 * library as the first argument of a call.  0: none that looks like it.
 */
static uint64_t main_passed(pid_t pid, const struct module *program)
{
	enum { STEPS = 64 };
	struct arch_thread before, after;

	if (arch_thread_read(pid, &before))
		return 0;
	for (unsigned i = 0; i < STEPS; i++, before = after) {
		if (step(pid) || arch_thread_read(pid, &after))
			return 0;
		if (arch_thread_has_called(pid, &before, &after) &&
		    after.argument >= program->map_start &&
		    after.argument < program->map_end)
			return after.argument;
	}
	return 0;
}

static uint64_t main_of(pid_t pid, struct modules *modules)
{
	struct module *program = program_of(modules);
	uint64_t main = program ? settle_symbol(&program->image->file, "main")
				: 0;

	if (main)
		return program->bias + main;
	return program ? main_passed(pid, program) : 0;
}

/* The program's first instruction: the dynamic linker is through by then. */
static int run_to_start(pid_t pid)
{
	uint64_t start = auxiliary(pid, AT_ENTRY);

	return start ? run_to(pid, start) : 0;
}

static int run_to_main(pid_t pid, struct modules *modules)
{
	uint64_t main = main_of(pid, modules);

	return main ? run_to(pid, main) : 0;
}

int settle_at(struct processes *processes, pid_t pid, enum target_moment moment)
{
	struct modules modules = { .processes = processes };
	uint64_t base = auxiliary(pid, AT_BASE);
	int error = 0;

	if (moment >= MOMENT_POSTINIT)
		error = run_to_start(pid);
	if (!error && (moment == MOMENT_PREINIT || moment == MOMENT_MAIN))
		error = modules_read(&modules, pid);
	if (!error && moment == MOMENT_PREINIT && base)
		error = run_linker(pid, &modules, base);
	if (!error && moment == MOMENT_MAIN)
		error = run_to_main(pid, &modules);
	modules_free(&modules);
	return error;
}
